declare module 'email-providers' {
  const domains: readonly string[];
  export = domains;
}
