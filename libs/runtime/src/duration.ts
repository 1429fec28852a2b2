const duration_pattern =
  /^P(?=\d|T\d)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * Milliseconds of an ISO 8601 duration of days, hours, minutes and seconds, or `null` when the
 * text is not one: `durationMs('PT1M30S') === 90_000`, `durationMs('P1D') === 86_400_000`.
 */
export function durationMs(text: string): number | null {
  const match = duration_pattern.exec(text);
  if (match === null) return null;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!) * 1000;
}
