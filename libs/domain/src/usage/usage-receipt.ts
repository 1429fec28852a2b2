import type { NextFix } from './next-fix.js';
import type { FreeForm, SentUsageEvent } from './sent-usage-event.js';

export const usage_receipt_contract = 'service-usage-receipt-v1';

const receipt_types = ['model_call', 'api_call', 'spend', 'build'] as const;
type ReceiptType = (typeof receipt_types)[number];

/** Each type by its spellings. */
const types_by_name: ReadonlyMap<string, ReceiptType> = new Map([
  ...receipt_types.map((type) => [type, type] as const),
  ['model-call', 'model_call'],
  ['model', 'model_call'],
  ['api-call', 'api_call'],
  ['api', 'api_call'],
]);

/** `usageReceipt` of a mapping: what the receipt says, each part null where it does not. */
export interface UsageReceiptSummary {
  readonly contract: typeof usage_receipt_contract;
  readonly receiptType: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly mcpServer: string | null;
  readonly mcpTool: string | null;
  readonly api: string | null;
  readonly costCents: number | null;
  readonly latencyMs: number | null;
  readonly requestCount: number | null;
  readonly recommendedStackAction: string | null;
  /** Whether every part that a receipt of this type needs is there. */
  readonly complete: boolean;
}

export interface ReceiptFinding {
  /** Null when the event carries no receipt. */
  readonly usageReceipt: UsageReceiptSummary | null;
  readonly nextFixes: readonly NextFix[];
}

type Part = Exclude<keyof UsageReceiptSummary, 'contract' | 'receiptType' | 'complete'>;
type ReceiptParts = Pick<UsageReceiptSummary, Part>;

const shown_characters_max = 200;
const no_receipt: ReceiptFinding = { usageReceipt: null, nextFixes: [] };
const pointer = '/metadata/usageReceipt';

/** What a receipt of each type is for, and so what it needs. Of the identities one is enough. */
const needed_parts: Readonly<Record<ReceiptType, readonly Part[]>> = {
  model_call: ['provider', 'model', 'costCents', 'latencyMs', 'requestCount'],
  api_call: ['api', 'latencyMs', 'requestCount'],
  spend: ['provider', 'costCents'],
  build: ['recommendedStackAction'],
};

/**
 * Reads the receipt in `metadata.usageReceipt` against the contract `service-usage-receipt-v1`.
 * The receipt is free-form, so nothing about its shape refuses an event: what is missing or has
 * the wrong type is reported as a next fix. Parts it leaves out are taken from the event's own
 * fields (`model_provider`, `mcp_server`, `mcp_tool`, `credit_cents`, `latency_ms`, `workload`).
 */
export function readUsageReceipt(sent: SentUsageEvent): ReceiptFinding {
  const receipt = sent.metadata?.['usageReceipt'];
  if (receipt === undefined || receipt === null) return no_receipt;
  if (!isObject(receipt)) {
    const message = `Send metadata.usageReceipt as an object of ${usage_receipt_contract}.`;
    return { usageReceipt: null, nextFixes: [{ code: 'receipt_not_object', pointer, message }] };
  }
  const nextFixes: NextFix[] = [];
  const parts = readParts(receipt, sent, nextFixes);
  const type = readType(receipt, nextFixes);
  const missing = (type.known === null ? [] : needed_parts[type.known]).filter((part) =>
    part === 'api'
      ? parts.api === null && parts.mcpServer === null && parts.provider === null
      : parts[part] === null,
  );
  for (const part of missing) {
    if (nextFixes.some((fix) => fix.pointer === `${pointer}/${part}`)) continue;
    nextFixes.push({
      code: 'complete_receipt',
      pointer: `${pointer}/${part}`,
      message: `A receipt of type ${type.known} needs ${part}: send metadata.usageReceipt.${part}.`,
    });
  }
  const complete = type.known !== null && missing.length === 0;
  return {
    usageReceipt: {
      contract: usage_receipt_contract,
      receiptType: type.shown,
      ...parts,
      complete,
    },
    nextFixes,
  };
}

function readType(
  receipt: FreeForm,
  nextFixes: NextFix[],
): { readonly shown: string | null; readonly known: ReceiptType | null } {
  const contract = receipt['contract'];
  if (contract !== undefined && contract !== usage_receipt_contract) {
    nextFixes.push({
      code: 'receipt_contract',
      pointer: `${pointer}/contract`,
      message: `Receipts are read as ${usage_receipt_contract}: send that, or leave contract out.`,
    });
  }
  const sentType = textOf(receipt['receiptType'] ?? receipt['receipt_type']);
  const known = types_by_name.get(sentType?.toLowerCase() ?? '') ?? null;
  if (known !== null) return { shown: known, known };
  nextFixes.push({
    code: 'receipt_type',
    pointer: `${pointer}/receiptType`,
    message: `Send metadata.usageReceipt.receiptType as one of ${receipt_types.join(', ')}.`,
  });
  return { shown: sentType, known };
}

function readParts(receipt: FreeForm, sent: SentUsageEvent, nextFixes: NextFix[]): ReceiptParts {
  const wrong = (part: Part, expected: string) => {
    const message = `metadata.usageReceipt.${part} is not ${expected}; it is left out.`;
    nextFixes.push({ code: 'receipt_part', pointer: `${pointer}/${part}`, message });
    return null;
  };
  const text = (part: Part, snake: string, fallback?: unknown) => {
    const value = receipt[part] ?? receipt[snake];
    if (value === undefined || value === null) return textOf(fallback);
    return textOf(value) ?? wrong(part, 'a text');
  };
  const count = (part: Part, others: readonly string[], fallback?: unknown) => {
    const spelling = [part, ...others].find((name) => receipt[name] != null);
    if (spelling === undefined) return countOf(fallback);
    return countOf(receipt[spelling]) ?? wrong(part, 'a number of 0 or more');
  };
  return {
    provider: text('provider', 'model_provider', sent.model_provider),
    model: text('model', 'model_name'),
    mcpServer: text('mcpServer', 'mcp_server', sent.mcp_server),
    mcpTool: text('mcpTool', 'mcp_tool', sent.mcp_tool),
    api: text('api', 'endpoint', sent.workload?.['endpoint']),
    costCents: count('costCents', ['cost_cents', 'creditCents', 'credit_cents'], sent.credit_cents),
    latencyMs: count('latencyMs', ['latency_ms'], sent.latency_ms),
    requestCount: count('requestCount', ['request_count'], sent.workload?.['requestCount']),
    recommendedStackAction: text('recommendedStackAction', 'recommended_stack_action'),
  };
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  // A cut may go through a surrogate pair.
  return value.trim().slice(0, shown_characters_max).toWellFormed();
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function isObject(value: unknown): value is FreeForm {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
