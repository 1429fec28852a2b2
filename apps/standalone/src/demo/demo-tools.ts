/** One fictional tool of the demo, with the shape of its use. */
export interface DemoTool {
  readonly slug: string;
  readonly name: string;
  readonly categorySlug: string;
  readonly developers: number;
  readonly accounts: number;
  /** Share of the developers that the largest account holds, where it stands out. */
  readonly largestAccountShare?: number;
}

/** What an organization, its products and the tools they stand for are made from. */
export interface DirectoryPlan {
  readonly organization: {
    readonly slug: string;
    readonly name: string;
    readonly evidence: 'sample' | 'first_party';
  };
  readonly tools: readonly Pick<DemoTool, 'slug' | 'name' | 'categorySlug'>[];
}

/** Fictional tools in five categories; the last three are too small or too one-sided. */
export const demo_tools: readonly DemoTool[] = [
  {
    slug: 'patchwright',
    name: 'Patchwright',
    categorySlug: 'coding-agents',
    developers: 420,
    accounts: 64,
  },
  {
    slug: 'branchling',
    name: 'Branchling',
    categorySlug: 'coding-agents',
    developers: 310,
    accounts: 48,
  },
  {
    slug: 'quillbench',
    name: 'Quillbench',
    categorySlug: 'coding-agents',
    developers: 150,
    accounts: 30,
  },
  {
    slug: 'modelferry',
    name: 'Modelferry',
    categorySlug: 'model-gateways',
    developers: 380,
    accounts: 57,
  },
  {
    slug: 'tokenharbor',
    name: 'Tokenharbor',
    categorySlug: 'model-gateways',
    developers: 240,
    accounts: 40,
  },
  {
    slug: 'promptwell',
    name: 'Promptwell',
    categorySlug: 'model-gateways',
    developers: 130,
    accounts: 18,
  },
  {
    slug: 'vectorfen',
    name: 'Vectorfen',
    categorySlug: 'vector-search',
    developers: 290,
    accounts: 44,
  },
  {
    slug: 'embergrid',
    name: 'Embergrid',
    categorySlug: 'vector-search',
    developers: 170,
    accounts: 33,
  },
  {
    slug: 'lanternlog',
    name: 'Lanternlog',
    categorySlug: 'agent-observability',
    developers: 220,
    accounts: 39,
  },
  {
    slug: 'tracefinch',
    name: 'Tracefinch',
    categorySlug: 'agent-observability',
    developers: 125,
    accounts: 24,
  },
  { slug: 'fetchmoor', name: 'Fetchmoor', categorySlug: 'web-data', developers: 200, accounts: 36 },
  {
    slug: 'spanloom',
    name: 'Spanloom',
    categorySlug: 'agent-observability',
    developers: 13,
    accounts: 6,
  },
  { slug: 'crawlwick', name: 'Crawlwick', categorySlug: 'web-data', developers: 34, accounts: 3 },
  {
    slug: 'gridmoss',
    name: 'Gridmoss',
    categorySlug: 'vector-search',
    developers: 80,
    accounts: 12,
    largestAccountShare: 0.75,
  },
];

/** How many of the demo's tools the publication rules let through. */
export const demo_tools_published = 11;

export const demo_plan: DirectoryPlan = {
  organization: { slug: 'demo', name: 'Demo organization', evidence: 'sample' },
  tools: demo_tools,
};

/** What an installation without the demo begins with: enough to send a first event. */
export const starter_plan: DirectoryPlan = {
  organization: { slug: 'starter', name: 'Starter organization', evidence: 'first_party' },
  tools: [{ slug: 'starter', name: 'Starter product', categorySlug: 'developer-tools' }],
};
