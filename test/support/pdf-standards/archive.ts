// What PDF/A-3a (ISO 19005-3:2012) asks of a file as a whole: its form, colours and pictures.
import {
  at,
  contentsOf,
  dictionaries,
  list,
  of,
  operatorsIn,
  pagesOf,
  type Rule,
  rewrite,
  rootOf,
  streamOf,
  trailerOf,
} from './file.js'

const clause = (number: string): string => `ISO 19005-3 ${number}`

/** Operators of ISO 32000-1, annex A, that our contents may use. */
const OPERATORS = new Set(
  (
    'b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID ' +
    'j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr ' +
    `Ts Tw Tz v w W W* y ' "`
  ).split(' '),
)
const RENDERING = new Set(['/Type', '/LW', '/LC', '/LJ', '/ML', '/D', '/ca', '/CA'])

export const FILE_RULES: readonly Rule[] = [
  {
    clause: clause('6.1.2'),
    holds: 'begins with its version, then a comment of four bytes above 127',
    faults: ({ bytes }) => {
      const head = bytes.subarray(0, 9).toString('latin1')
      const comment = [...bytes.subarray(9, 14)]
      const binary = comment[0] === 0x25 && comment.slice(1).every((byte) => byte > 127)
      return /^%PDF-1\.[0-7]\n$/.test(head) && binary ? [] : [head]
    },
    spoil: ({ bytes }) => void bytes.write('abcd', 10),
  },
  {
    clause: clause('6.1.3'),
    holds: 'has an id, is not encrypted, and ends with its end',
    faults: (file) => {
      const { '/ID': id, '/Encrypt': encrypted } = trailerOf(file)
      const end = /%%EOF\r?\n?$/.test(file.bytes.subarray(-8).toString('latin1'))
      return list(id).length === 2 && encrypted === undefined && end ? [] : ['trailer']
    },
    spoil: (file) => void delete trailerOf(file)['/ID'],
  },
  {
    clause: clause('6.1.7'),
    holds: 'has no stream outside of the file and none packed with LZW',
    faults: (file) =>
      dictionaries(file)
        .filter((one) => one['/FFilter'] ?? one['/FDecodeParms'])
        .map(() => 'external')
        .concat(file.bytes.includes('/LZWDecode') ? ['LZW'] : []),
    spoil: (file) => void Object.assign(pagesOf(file)[0] ?? {}, { '/FFilter': '/FlateDecode' }),
  },
  {
    clause: clause('6.1.12'),
    holds: 'has no permissions',
    faults: (file) => (rootOf(file)['/Perms'] === undefined ? [] : ['/Perms']),
    spoil: (file) => void Object.assign(rootOf(file), { '/Perms': {} }),
  },
  {
    clause: clause('6.1.13'),
    holds: 'has pages of 3 to 14,400 units and names of at most 127 bytes',
    faults: (file) => [
      ...pagesOf(file).flatMap((page) => {
        const [, , width, height] = list(page['/MediaBox']).map(Number)
        return [width, height].filter((side = 0) => !(side >= 3 && side <= 14_400)).map(String)
      }),
      ...dictionaries(file)
        .flatMap((one) => Object.keys(one))
        .filter((name) => Buffer.byteLength(name) > 128),
    ],
    spoil: (file) => void Object.assign(pagesOf(file)[0] ?? {}, { '/MediaBox': [0, 0, 2, 99] }),
  },
  {
    clause: clause('6.2.2'),
    holds: 'uses known operators, with the resources of each page named there',
    faults: (file) => [
      ...contentsOf(file)
        .flatMap(operatorsIn)
        .filter((one) => !OPERATORS.has(one)),
      ...pagesOf(file)
        .filter((page) => Object.keys(at(file, page['/Resources'])).length === 0)
        .map(() => 'resources'),
    ],
    spoil: (file) => rewrite(file, (content) => `${content}\n1 0 Zz\n`),
  },
  {
    clause: clause('6.2.3'),
    holds: 'says with one ICC profile of version 2 to 4 what its colours are',
    faults: (file) => {
      const intents = list(rootOf(file)['/OutputIntents']).map((one) => at(file, one))
      return intents.length === 1 ? intents.flatMap((one) => profileFaults(file, one)) : ['intents']
    },
    spoil: (file) => void delete rootOf(file)['/OutputIntents'],
  },
  {
    clause: clause('6.2.4.3'),
    holds: 'has only colours of its profile: grey and RGB',
    faults: (file) => [
      ...contentsOf(file)
        .flatMap(operatorsIn)
        .filter((one) => ['k', 'K'].includes(one)),
      ...of(file, '/ColorSpace', '/DeviceCMYK').map(() => 'picture'),
      ...contentsOf(file)
        .filter((content) => content.includes('/DeviceCMYK'))
        .map(() => 'space'),
    ],
    spoil: (file) => rewrite(file, (content) => `0 0 0 1 k\n${content}`),
  },
  {
    clause: clause('6.2.5'),
    holds: 'has no transfer functions and halftones',
    faults: (file) =>
      of(file, '/Type', '/ExtGState').flatMap((one) =>
        Object.keys(one).filter((name) => !RENDERING.has(name)),
      ),
    spoil: (file) =>
      void file.objects.set('9999 0 R', {
        ...{ value: { '/Type': '/ExtGState', '/TR': '/Identity' }, bytes: undefined },
      }),
  },
  {
    clause: clause('6.2.8'),
    holds: 'has pictures without alternates, of 1 to 8 bits, not smoothed',
    faults: (file) =>
      of(file, '/Subtype', '/Image').flatMap((one) => [
        ...['/Alternates', '/OPI'].filter((name) => one[name] !== undefined),
        ...(one['/Interpolate'] === true ? ['/Interpolate'] : []),
        ...([1, 2, 4, 8].includes(Number(one['/BitsPerComponent'])) ? [] : ['bits']),
      ]),
    spoil: (file) =>
      void file.objects.set('9999 0 R', {
        value: { '/Subtype': '/Image', '/BitsPerComponent': 8, '/Interpolate': true },
        bytes: undefined,
      }),
  },
  {
    clause: clause('6.2.9'),
    holds: 'refers to no page of another file and has no PostScript',
    faults: (file) =>
      of(file, '/Type', '/XObject').flatMap((one) =>
        ['/Ref', '/PS', '/Subtype2'].filter((name) => one[name] !== undefined),
      ),
    spoil: (file) =>
      void file.objects.set('9999 0 R', {
        ...{ value: { '/Type': '/XObject', '/Ref': {} }, bytes: undefined },
      }),
  },
  {
    clause: clause('6.2.10'),
    holds: 'lets nothing shine through',
    faults: (file) =>
      dictionaries(file).flatMap((one) => [
        ...['/ca', '/CA'].filter((name) => one[name] !== undefined && one[name] !== 1),
        ...['/SMask', '/BM'].filter((name) => !NORMAL.has(one[name])),
      ]),
    spoil: (file) => void Object.assign(rootOf(file), { '/Extra': { '/ca': 0.5 } }),
  },
  {
    clause: clause('6.3'),
    holds: 'has no annotations',
    faults: (file) =>
      pagesOf(file)
        .filter((page) => page['/Annots'])
        .map(() => 'annotation'),
    spoil: (file) => void Object.assign(pagesOf(file)[0] ?? {}, { '/Annots': ['1 0 R'] }),
  },
  {
    clause: clause('6.4, 6.5'),
    holds: 'asks for nothing and does nothing: no forms, no actions, no scripts',
    faults: (file) => [
      ...['/AcroForm', '/OpenAction', '/AA'].filter((one) => rootOf(file)[one] !== undefined),
      ...pagesOf(file)
        .filter((page) => page['/AA'])
        .map(() => 'page'),
      ...of(file, '/S', '/JavaScript', '/Launch', '/SubmitForm', '/Movie').map(() => 'action'),
    ],
    spoil: (file) => void Object.assign(rootOf(file), { '/OpenAction': { '/S': '/JavaScript' } }),
  },
  {
    clause: clause('6.9 to 6.11'),
    holds: 'has no layers, no alternate presentations and no requirements',
    faults: (file) => [
      ...['/OCProperties', '/Requirements'].filter((one) => rootOf(file)[one] !== undefined),
      ...(at(file, rootOf(file)['/Names'])['/AlternatePresentations'] ? ['presentations'] : []),
      ...pagesOf(file)
        .filter((page) => page['/PresSteps'])
        .map(() => 'steps'),
    ],
    spoil: (file) => void Object.assign(rootOf(file), { '/OCProperties': {} }),
  },
]

const NORMAL: ReadonlySet<unknown> = new Set([undefined, '/None', '/Normal'])

function profileFaults(
  file: Parameters<Rule['faults']>[0],
  intent: Record<string, unknown>,
): string[] {
  const reference = intent['/DestOutputProfile']
  const profile = streamOf(file, reference)
  const right = [
    intent['/S'] === '/GTS_PDFA1',
    typeof intent['/OutputConditionIdentifier'] === 'string',
    at(file, reference)['/N'] === 3,
    profile.toString('latin1', 16, 20) === 'RGB ',
    profile.toString('latin1', 36, 40) === 'acsp',
    (profile[8] ?? 0) >= 2 && (profile[8] ?? 0) <= 4,
  ]
  return right.includes(false) ? ['profile'] : []
}
