import type { PublicationPolicy } from '#domain/adoption/policy.js';
import { page_content_type } from '../http/cacheable-answer.js';
import { page_policy, toHtmlPage } from '../pages/html-page.js';
import { toRenderedPage, type RenderedPage } from '../pages/rendered-page.js';
import { methodologyText } from './methodology-text.js';
import { methodologyPage } from './methodology.js';
import type { PublicationDefaults } from './publication-defaults.js';
import type { PublishedSnapshots } from './published-snapshots.js';

/** The forms of the methodology: what programs get unless they ask, then what people read. */
export const methodology_types = ['application/json', 'text/html', 'text/markdown'] as const;

export type MethodologyType = (typeof methodology_types)[number];

type Pages = Readonly<Record<MethodologyType, RenderedPage>>;

/** The methodology with the numbers that the shown epoch was published under. */
export class MethodologyPages {
  private readonly rendered = new WeakMap<PublicationPolicy, Pages>();

  constructor(
    private readonly snapshots: PublishedSnapshots,
    private readonly defaults: PublicationDefaults,
  ) {}

  page(type: MethodologyType): RenderedPage {
    const policy = this.snapshots.latest?.epoch.policy ?? this.defaults.policy;
    const known = this.rendered.get(policy);
    if (known !== undefined) return known[type];
    const pages = render(policy);
    this.rendered.set(policy, pages);
    return pages[type];
  }
}

function render(policy: PublicationPolicy): Pages {
  const markdown = methodologyText(policy);
  return {
    'application/json': toRenderedPage(JSON.stringify(methodologyPage(policy)), {
      'content-type': page_content_type,
    }),
    'text/html': toRenderedPage(toHtmlPage('Methodology', markdown), {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page_policy,
    }),
    'text/markdown': toRenderedPage(markdown, { 'content-type': 'text/markdown; charset=utf-8' }),
  };
}
