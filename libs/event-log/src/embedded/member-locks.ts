/**
 * Advisory locks in the two-key space. A member of a group holds (member class, its backend's pid)
 * per topic, the owner of a partition (owner class, partition); both end with the session.
 */
export const member_class = 0x4500_0000;
export const owner_class = 0x4600_0000;

export function memberLockClass(groupTopicId: number): number {
  return member_class + groupTopicId;
}

export function ownerLockClass(groupTopicId: number): number {
  return owner_class + groupTopicId;
}
