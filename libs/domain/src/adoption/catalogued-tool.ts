/** A tool of the public directory. */
export interface CataloguedTool {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly categorySlug: string;
}
