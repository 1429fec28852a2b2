import { IdentityHasher, type IdentityHashes } from '#domain/usage/identity.js';
import type { MappingDirectory } from '#domain/usage/map-usage-event.js';
import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import type { MappingDirectories } from '#postgres/organizations/mapping-directories.js';
import type { UptakeConfig } from '#runtime/config.js';
import { within } from '#runtime/within.js';
import { directoryUnreadable } from '../credentials/directory-unreadable.js';
import { KnownMappings } from './known-mappings.js';
import type { Reception } from './prepare-event.js';
import { TextArena } from './text-arena.js';

const day_ms = 24 * 60 * 60 * 1000;

/** How often it is asked whether anything was registered, and how long a request waits for that. */
const refresh_ms = 500;
const refresh_wait_ms_max = 250;

/** Fewer events are worth neither a block of memory nor mappings of their own. */
const large_events_min = 100;

/** What small requests of one organization share, and what one large request keeps for itself. */
const shared_mappings_max = 50;
const own_mappings_max = 500;

interface ReceivedRequest {
  readonly events: number;
  readonly storing: boolean;
  readonly traceparent: string | null;
}

/** Gathers what preparing the events of one request needs. */
export class ReceptionDesk {
  private readonly hashes: IdentityHashes;
  /** When it was last asked whether anything was registered; see `performance.now`. */
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private refreshing: Promise<void> | null = null;
  /** As long as what they were made from is remembered; by the product that a key implies. */
  private readonly mappings = new WeakMap<MappingDirectory, Map<string | null, KnownMappings>>();

  constructor(
    private readonly config: UptakeConfig,
    private readonly directories: MappingDirectories,
  ) {
    this.hashes = new IdentityHasher(config.identityPepper);
  }

  async receive(principal: TrackingPrincipal, request: ReceivedRequest): Promise<Reception> {
    const directory = await this.directoryOf(principal.organizationId);
    if (directory === null) throw new Error('A tracking key without an organization.');
    const receivedAt = Date.now();
    const large = request.events >= large_events_min;
    return {
      principal,
      directory,
      hashes: this.hashes,
      mappings: large
        ? new KnownMappings(directory, principal.productId, own_mappings_max)
        : this.sharedMappings(directory, principal.productId),
      receivedAt,
      receivedAtText: new Date(receivedAt).toISOString(),
      ageMsMax: this.config.eventAgeDaysMax * day_ms,
      storing: request.storing,
      traceparent: request.traceparent,
      arena: large ? new TextArena() : null,
    };
  }

  private async directoryOf(organizationId: string): Promise<MappingDirectory | null> {
    const now = performance.now();
    if (now - this.refreshedAt > refresh_ms) {
      this.refreshedAt = now;
      this.refreshing ??= this.directories.refresh().finally(() => (this.refreshing = null));
      // What is remembered will do while nobody answers.
      await within(refresh_wait_ms_max, this.refreshing).catch(() => undefined);
    }
    const known = this.directories.known(organizationId);
    if (known !== undefined) return known;
    const asked = this.directories.get(organizationId);
    return within(this.config.appendDeadlineMs, asked).catch(directoryUnreadable);
  }

  private sharedMappings(directory: MappingDirectory, keyProductId: string | null): KnownMappings {
    const ofKeys = this.mappings.get(directory) ?? new Map<string | null, KnownMappings>();
    this.mappings.set(directory, ofKeys);
    const known =
      ofKeys.get(keyProductId) ?? new KnownMappings(directory, keyProductId, shared_mappings_max);
    ofKeys.set(keyProductId, known);
    return known;
  }
}
