import { IsInt, Max, Min } from 'class-validator';
import { KafkaConfig } from './kafka-config.js';
import { FromEnv } from './setting.js';

/** Numbers of the publication policy: part of `UptakeConfig`, which lists them with the others. */
export abstract class PublicationConfig extends KafkaConfig {
  @FromEnv({
    env: 'MIN_DEVELOPERS',
    section: 'Publication',
    description: 'Fewest developers behind a published adoption row.',
  })
  @IsInt()
  @Min(2)
  minDevelopers: number = 20;

  @FromEnv({
    env: 'MIN_ACCOUNTS',
    section: 'Publication',
    description: 'Fewest customer accounts behind a published adoption row.',
  })
  @IsInt()
  @Min(2)
  minAccounts: number = 5;

  @FromEnv({
    env: 'TOP_ACCOUNT_PERCENT_MAX',
    section: 'Publication',
    description: 'Largest share of the developers that one account may hold, in percent.',
  })
  @IsInt()
  @Min(1)
  @Max(100)
  topAccountPercentMax: number = 50;

  @FromEnv({
    env: 'P_PERCENT',
    section: 'Publication',
    description: 'p of the p%-rule; the methodology page does not tell it.',
  })
  @IsInt()
  @Min(1)
  @Max(100)
  pPercent: number = 15;

  @FromEnv({
    env: 'ENTRY_DEVELOPERS_EXTRA',
    section: 'Publication',
    description:
      'Developers above MIN_DEVELOPERS, or RETENTION_MIN_DEVELOPERS, that a figure needs ' +
      'which is not shown yet.',
  })
  @IsInt()
  @Min(0)
  entryDevelopersExtra: number = 5;

  @FromEnv({
    env: 'MIN_DIFFERENCE_DEVELOPERS',
    section: 'Publication',
    description: 'Fewest developers by which two published cohorts of a tool may differ.',
  })
  @IsInt()
  @Min(1)
  minDifferenceDevelopers: number = 10;

  @FromEnv({
    env: 'MIN_DIFFERENCE_ACCOUNTS',
    section: 'Publication',
    description: 'Fewest accounts of those developers, and of each side of a retention band.',
  })
  @IsInt()
  @Min(1)
  minDifferenceAccounts: number = 3;

  @FromEnv({
    env: 'GATE_COHORTS_MAX',
    section: 'Publication',
    description: 'Published cohorts of each cell that a new one is compared with.',
  })
  @IsInt()
  @Min(1)
  @Max(30)
  gateCohortsMax: number = 30;

  @FromEnv({
    env: 'COARSE_ABOVE_PERCENT',
    section: 'Publication',
    description:
      'Share of one account, in percent, above which counts are rounded twice as coarsely.',
  })
  @IsInt()
  @Min(1)
  @Max(100)
  coarseAbovePercent: number = 35;

  @FromEnv({
    env: 'SCORE_DEVELOPERS_PER_ACCOUNT_MAX',
    section: 'Publication',
    description: 'Developers that count in the score, for each account of a row.',
  })
  @IsInt()
  @Min(1)
  scoreDevelopersPerAccountMax: number = 50;

  @FromEnv({
    env: 'RETENTION_MIN_DEVELOPERS',
    section: 'Publication',
    description: 'Fewest developers whose return was awaited, for a retention band.',
  })
  @IsInt()
  @Min(2)
  retentionMinDevelopers: number = 50;

  @FromEnv({
    env: 'RETENTION_MIN_SIDE',
    section: 'Publication',
    description: 'Fewest of them who returned, and fewest who did not.',
  })
  @IsInt()
  @Min(1)
  retentionMinSide: number = 10;
}
