import {
  IsIn,
  IsInt,
  IsOptional,
  Length,
  Max,
  Min,
  type ValidationArguments,
} from 'class-validator';
import {
  adoption_periods,
  default_adoption_period,
  type AdoptionPeriod,
} from '#domain/adoption/period.js';

const slug_characters_max = 100;
const cursor_characters_max = 200;

/** What a parameter must be; one that was given twice is told that instead. */
const must = (expectation: string) => ({
  message: ({ value }: ValidationArguments) =>
    Array.isArray(value) ? 'may be given only once' : `must ${expectation}`,
});
const sized = must(`have 1 to ${slug_characters_max} characters`);
const cursor_sized = must(`have 1 to ${cursor_characters_max} characters`);
const counted = must('be a whole number from 1 to 200');

/** The query of the public adoption reads, specification 4.4. */
export class AdoptionQueryDto {
  /** Slug of a category; absent lists all. */
  @IsOptional()
  @Length(1, slug_characters_max, sized)
  category?: string;

  /** Slug of a tool; absent lists all. */
  @IsOptional()
  @Length(1, slug_characters_max, sized)
  tool?: string;

  @IsIn(adoption_periods, must(`be one of ${adoption_periods.join(', ')}`))
  period: AdoptionPeriod = default_adoption_period;

  /** Most rows of the answer. */
  @IsInt(counted)
  @Min(1, counted)
  @Max(200, counted)
  limit: number = 25;

  /** `page.nextCursor` of the answer before; absent begins with the first row. */
  @IsOptional()
  @Length(1, cursor_characters_max, cursor_sized)
  cursor?: string;
}
