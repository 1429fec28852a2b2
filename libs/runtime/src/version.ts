/** Version of this build, as in package.json; a test keeps the two equal. */
export const app_version = '0.1.0';
