import type { RenderedPage } from './rendered-page.js';

const pages_max = 1_000;
const bytes_max = 32 * 1024 * 1024;

/** Pages of one snapshot by query; starts anew when another snapshot or too much is put in. */
export class PageCache<Snapshot> {
  private readonly pages = new Map<string, RenderedPage>();
  private bytes = 0;
  private snapshot: Snapshot | undefined;

  /** The page of a query, rendered when it is asked for the first time. */
  get(snapshot: Snapshot, key: string, render: () => RenderedPage): RenderedPage {
    if (snapshot !== this.snapshot) this.startAnew();
    this.snapshot = snapshot;
    const known = this.pages.get(key);
    if (known !== undefined) return known;
    const page = render();
    if (this.pages.size >= pages_max || this.bytes + page.body.length > bytes_max) this.startAnew();
    this.pages.set(key, page);
    this.bytes += page.body.length;
    return page;
  }

  /** The page of a query, if it has been rendered for this snapshot. */
  find(snapshot: Snapshot, key: string): RenderedPage | null {
    return snapshot === this.snapshot ? (this.pages.get(key) ?? null) : null;
  }

  private startAnew(): void {
    this.pages.clear();
    this.bytes = 0;
  }
}
