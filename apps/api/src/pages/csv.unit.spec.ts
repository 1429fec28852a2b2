import { describe, expect, it } from '@jest/globals';
import { toCsv } from './csv.js';

const cell = (value: string | number | null) => toCsv(['name'], [[value]]).split('\r\n')[1];

describe('CSV of RFC 4180', () => {
  it('has a header line, and ends every line with CR LF', () => {
    expect(toCsv(['a', 'b'], [[1, 'x']])).toBe('a,b\r\n1,x\r\n');
    expect(toCsv(['a', 'b'], [])).toBe('a,b\r\n');
  });

  it.each([
    ['a comma', 'a,b', '"a,b"'],
    ['a quote, doubled', 'a "b"', '"a ""b"""'],
    ['a line feed', 'a\nb', '"a\nb"'],
    ['a carriage return', 'a\rb', '"a\rb"'],
  ])('puts a text with %s in quotes', (_what, text, written) => {
    expect(toCsv(['name'], [[text]])).toBe(`name\r\n${written}\r\n`);
  });

  it('leaves a cell empty where there is nothing', () => {
    expect(toCsv(['a', 'b', 'c'], [[null, 0, '']])).toBe('a,b,c\r\n,0,\r\n');
  });
});

describe('a text that a spreadsheet would calculate', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    ' =1',
    '\t=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '\tx',
    '\nx',
  ])('gets an apostrophe in front: %j', (text) => {
    expect(toCsv(['name'], [[text]])).toMatch(/^name\r\n"?'/);
  });

  it('is put in quotes as well when it needs them', () => {
    expect(cell('=HYPERLINK("//x","y")')).toBe(`"'=HYPERLINK(""//x"",""y"")"`);
  });

  it.each([
    [-3, '-3'],
    ['a=1', 'a=1'],
    ['code-search', 'code-search'],
    ["'quoted", "'quoted"],
  ])('is no number and no other text: %j', (value, written) => {
    expect(cell(value)).toBe(written);
  });
});
