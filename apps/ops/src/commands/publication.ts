import { Command } from 'commander';
import type { RoundedCount } from '#domain/adoption/rounding.js';
import type {
  ReportedCell,
  ReportedRow,
  RowSummary,
} from '#postgres/publication/publication-report.js';
import { PublicationRequests } from '#postgres/publication/publication-requests.js';
import { table, type Answer } from '../answer.js';
import { CommandFailedError } from '../command-failed.js';
import type { RunCommand } from '../run-command.js';

/** An epoch over very many events is published within a minute; one may be under way already. */
const answer_ms_max = 300_000;
const told_after_ms = 5_000;

export function publishCommand(run: RunCommand): Command {
  return new Command('publish')
    .description('publish an epoch now; a running projector does it')
    .option('--dry-run', 'publish nothing, and show what would change and which step decided')
    .action(({ dryRun }: { readonly dryRun?: boolean }, command: Command) =>
      run(command, (_store, database) => {
        const publications = new PublicationRequests(database);
        return dryRun === true ? rehearsePublication(publications) : publish(publications);
      }),
    );
}

export function explainCommand(run: RunCommand): Command {
  return new Command('explain')
    .description('why a tool shows what it shows, with exact counts: for operators only')
    .argument('<tool>', 'slug of the tool')
    .action((slug: string, _options: object, command: Command) =>
      run(command, (_store, database) => explainTool(new PublicationRequests(database), slug)),
    );
}

/** Says on standard error what is waited for, when it takes longer than one expects. */
async function waited<T>(answer: Promise<T>): Promise<T> {
  const seconds = answer_ms_max / 1000;
  const timer = setTimeout(
    () => process.stderr.write(`ops: a running projector does it; waiting ${seconds} s for one\n`),
    told_after_ms,
  );
  return answer.finally(() => clearTimeout(timer));
}

async function publish(publications: PublicationRequests): Promise<Answer> {
  const epoch = await waited(publications.publish(answer_ms_max));
  return { lines: [`Epoch ${epoch} is published.`], json: { epoch } };
}

async function rehearsePublication(publications: PublicationRequests): Promise<Answer> {
  const report = await waited(publications.rehearse(answer_ms_max));
  const { epoch, asOf, days, rows, cells } = report;
  const changes = cells.filter(isChange);
  return {
    lines: [
      `Epoch ${epoch} would be published as of ${asOf}; ${days.length} days have new events.`,
      '',
      ...section(`${rows.length} rows would change.`, rowTable(rows), rows.length),
      ...section(`${changes.length} figures would change.`, cellTable(changes), changes.length),
    ],
    json: { ...report, cells: changes },
  };
}

async function explainTool(publications: PublicationRequests, slug: string): Promise<Answer> {
  const report = await waited(publications.rehearse(answer_ms_max));
  const cells = report.cells.filter(({ tool }) => tool === slug);
  if (cells.length === 0 && !report.tools.includes(slug)) {
    throw new CommandFailedError('tool_not_found', `The directory lists no tool "${slug}".`);
  }
  const { epoch, asOf, policyVersion } = report;
  const heading = `${slug} as epoch ${epoch} would judge it under ${policyVersion}, as of ${asOf}.`;
  const nothing = 'It has no events in any period, and has shown nothing before.';
  return {
    lines: [heading, '', ...(cells.length === 0 ? [nothing] : cellTable(cells))],
    json: { tool: slug, epoch, asOf, policyVersion, cells },
  };
}

function section(heading: string, lines: readonly string[], count: number): readonly string[] {
  return count === 0 ? [heading] : [heading, ...lines, ''];
}

function isChange({ before, after }: ReportedCell): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

function rowTable(rows: readonly ReportedRow[]): readonly string[] {
  return table(
    ['TOOL', 'PERIOD', 'SHOWN', 'WOULD SHOW'],
    rows.map(({ tool, period, before, after }) => [tool, period, summary(before), summary(after)]),
  );
}

function summary(row: RowSummary | null): string | null {
  if (row === null) return null;
  const { status, rank, score, confidence } = row;
  return status === 'published' ? `#${rank} score ${score} ${confidence}` : status;
}

function cellTable(cells: readonly ReportedCell[]): readonly string[] {
  return table(
    ['TOOL', 'LABEL', 'PERIOD', 'PART', 'EXACT', 'SHOWN', 'WOULD SHOW', 'OUTCOME', 'STEP', 'WHY'],
    cells.map(({ tool, label, period, part, exact, before, after, ...verdict }) => [
      tool,
      label,
      period,
      part,
      `${exact.developers}/${exact.accounts}`,
      figures(before),
      figures(after),
      verdict.outcome,
      verdict.decidedBy,
      verdict.reason,
    ]),
  );
}

/** Developers and accounts, and for retention the band of who came back. */
function figures(shown: ReportedCell['after']): string | null {
  if (shown === null) return null;
  const value = (count: RoundedCount) => String(count.value);
  const band = shown.retained === null ? '' : ` ${shown.retained.lower}-${shown.retained.upper} %`;
  return `${value(shown.developers)}/${value(shown.accounts)}${band}`;
}
