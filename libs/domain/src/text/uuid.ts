const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a UUID of any version, in lower case: 018f2b7e-5c3a-7d21-9e4b-3f6a8c1d2e0f. */
export function isUuid(text: string): boolean {
  return pattern.test(text);
}
