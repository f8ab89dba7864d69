// Texts that break programs which do more with a text than keep it. All of them may stand in a
// receipt: control characters other than tab and line ends are left out.

const WORDS = [
  ...['undefined', 'undef', 'null', 'NULL', '(null)', 'nil', 'NIL', 'true', 'False', 'None', 'NaN'],
  ...[
    'hasOwnProperty',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'then',
    'valueOf',
    '\\',
  ],
  ...['CON', 'PRN', 'AUX', 'NUL', 'COM1', 'LPT1', '.', '..', '../../etc/passwd', '~', '$HOME'],
]

const NUMBERS = [
  ...['0', '1', '1.00', '-1', '1E2', '-1E+02', '1/0', '0/0', '-2147483648', '2147483648', '0x0'],
  ...['9223372036854775808', '-9223372036854775809', '1e1000', '.5', '5.', '1,000.00', '1.000,00'],
  ...[
    'Infinity',
    '-Infinity',
    '1#INF',
    '0xffffffffffffffff',
    '١٢٣',
    '４２',
    '1_000',
    '00012',
    '--1',
  ],
]

const BLANKS = [
  ...['', ' ', '\t', '\n', '\r\n', ' leading', 'trailing ', '\u00a0', '\u1680', '\u2003', '\u200b'],
  ...['\u2028', '\u2029', '\u3000', '\ufeff', '\u180e', '\u00ad', '\u0085', '\u007f', '\u009f'],
]

const SCRIPTS = [
  ...[
    '田中さんにあげて下さい',
    '和製漢語',
    '社會科學院語學研究所',
    '울란바토르',
    'Привет',
    'Ωμέγα',
    'ÅÍÎÏ˝ÓÔÒÚÆ☃',
  ],
  ...[
    'גם (או) כן',
    'هَٰذَا نَصٌّ',
    'مُنَاقَشَةُ سُبُلِ',
    '\u202etest\u202e',
    '\u2066test\u2067',
    'à',
    'a\u0300',
    'ß',
    'ẞ',
    'İ',
    'ı',
  ],
  ...[
    'ﬁ',
    'Ａｂｃ',
    '¼½¾',
    '⁰⁴⁵',
    '√∫∂',
    '❤️ 💔',
    '👩🏽',
    '👨‍🦰',
    '🇦🇹',
    '🏳️‍🌈',
    '\u{10ffff}',
    '\ufffe',
    '\uffff',
  ],
  ...['T̗̺o͈͍̣ ̙i͇n͕v̮o̸k̲e̶', 'ṡ̈'.repeat(40), '🌍'.repeat(1000)],
]

const INJECTIONS = [
  ...[
    "'",
    '"',
    '`',
    "''",
    '""',
    "'\"'",
    "1' OR '1'='1",
    "'; DROP TABLE queue_item; --",
    '%',
    '_',
    '$1',
    '$$',
  ],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '<!--',
    ']]>',
    '<![CDATA[x]]>',
    '&amp;',
  ],
  ...[
    '&#0;',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  ],
  ...[
    '=1+1',
    '+1',
    '-1+1',
    '@SUM(1)',
    "=cmd|' /C calc'!A0",
    '\t=1',
    '{{7*7}}',
    '$' + '{7*7}',
    '#{7*7}',
    '<%= 7 %>',
  ],
  ...[
    '$(touch x)',
    '`touch x`',
    '| ls',
    '; ls',
    '&& ls',
    '%s%s%n',
    '%x',
    '%00',
    '%0d%0aSet-Cookie: a=b',
  ],
  ...[
    '\\u0000',
    '\\',
    '\\\\',
    '\\"',
    '{"a":1}',
    '[1,',
    '}{',
    '//',
    '/* x */',
    '/Date(0)/',
    '"ftState":0',
  ],
  ...[
    '_R1-AT1_',
    'a_b',
    'a;b',
    'a,b',
    '\u0001f600'.slice(1),
    'javascript:alert(1)',
    'data:text/html,x',
  ],
  'x'.repeat(1023),
]

export const NAUGHTY_STRINGS: readonly string[] = [
  ...new Set([...WORDS, ...NUMBERS, ...BLANKS, ...SCRIPTS, ...INJECTIONS]),
]
