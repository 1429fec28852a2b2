import { describe, expect, it } from '@jest/globals';
import { toHtmlPage } from './html-page.js';

describe('a page made of markdown', () => {
  it('makes a table with headers that belong to their columns', () => {
    const page = toHtmlPage('Title', '| a | b |\n| --- | --- |\n| 1 | `x` |');
    expect(page).toContain('<th scope="col">a</th><th scope="col">b</th>');
    expect(page).toContain('<tr><td>1</td><td><code>x</code></td></tr>');
    expect(page).not.toContain('---');
  });

  it('joins the lines of a list item', () => {
    expect(toHtmlPage('Title', '- one\n  goes on\n- two')).toContain(
      '<ul>\n<li>one goes on</li>\n<li>two</li>\n</ul>',
    );
  });

  it('shows what looks like markup as text, and links to nothing elsewhere', () => {
    const page = toHtmlPage('<b>', '[x](https://x.example) <script>"1"</script>');
    expect(page).toContain('<title>&lt;b&gt;');
    expect(page).toContain('&lt;script&gt;&quot;1&quot;');
    expect(page).not.toContain('href="https');
  });

  it('tells its language, runs and loads nothing, and follows the colours of its reader', () => {
    const page = toHtmlPage('Title', 'Text.');
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain('prefers-color-scheme:dark');
    expect(page).not.toMatch(/<script|<link|<img|src=|url\(|@import/);
  });
});
