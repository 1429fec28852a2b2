import kafkajs from 'kafkajs';
import type { Share, SharingMember } from './share-out.js';

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;

/** Members that share out differently have no protocol in common and are refused by Kafka. */
export const protocol_name = 'uptake-keep';
const version = 1;

/** What a member says of itself when it joins. */
export function encodeSubscription(topics: readonly string[], owned: Share): Buffer {
  const userData = Buffer.from(JSON.stringify(Object.fromEntries(owned)));
  return MemberMetadata.encode({ version, topics: [...topics], userData });
}

export function decodeSubscription(metadata: Buffer): Omit<SharingMember, 'id'> {
  const decoded = MemberMetadata.decode(metadata);
  if (decoded === null) return { topics: [], owned: new Map() };
  const owned = JSON.parse(decoded.userData.toString()) as Record<string, number[]>;
  return { topics: decoded.topics, owned: new Map(Object.entries(owned)) };
}

export function encodeAssignment(share: Share): Buffer {
  return MemberAssignment.encode({
    version,
    assignment: Object.fromEntries(share),
    userData: Buffer.alloc(0),
  });
}

/** Partitions by topic; a member that Kafka knows but that has no share yet has none. */
export function decodeAssignment(assignment: Buffer): Share {
  const decoded = assignment.length === 0 ? null : MemberAssignment.decode(assignment);
  return new Map(Object.entries(decoded?.assignment ?? {}));
}
