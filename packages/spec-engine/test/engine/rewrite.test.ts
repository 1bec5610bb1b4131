import t from '../../../../test/tap.js'
import { rewrite } from '../../src/engine/rewrite.js'
import type { ReadLanguage } from '../../src/classify/language.js'
import { titleOf } from '../../src/engine/titles.js'
import { measuresOf } from '../../src/checks/measures.js'
import { compile } from './material.js'

const written = (sentence: string) => rewrite(sentence, { locale: 'en' })

t.test('the source\'s own words stand where the grammar is not sure', async (t) => {
  const unsure = [
    'This must be communicated.', 'When a, b, or c happens, the system must stop.',
    'Each string has a name and must be short.', 'The system must, if asked, stop.', 'They should wait.',
    'The files don\'t have to be moved.', 'What the door needs to do must be written down.',
    'The door must open and the lamp shall go on.'
  ]
  for (const sentence of unsure) t.same([written(sentence).statement, written(sentence).pattern], [sentence, 'free'])
})

t.test('modal verbs are never doubled', async (t) => {
  const verbs = [
    'must', 'shall', 'should', 'must not', 'should not', 'needs to', 'has to', 'is required to', 'may only'
  ]
  const heads = ['The door', 'When it rains, the door', 'Note that the door', 'This would mean that the door']
  for (const head of heads) {
    for (const verb of verbs) {
      const { statement } = written(`${head} ${verb} close.`)
      t.notMatch(statement, /(?:SHALL|SHOULD|MAY)(?: NOT)? (?:must|shall|should|have|has|need|is required)|would SHALL/, statement)
    }
  }
})

t.test('the source\'s ids are kept beside the statement, not in it', async (t) => {
  const { requirements } = compile(
    '3.1 The system shall record visits.\n\nREQ-12 The door must open.\n\nUTF-8 must be used.')
  t.same(requirements.map(({ statement, source_ids: ids }) => [statement, ids]), [
    ['THE SYSTEM SHALL record visits.', ['3.1']], ['The door SHALL open.', ['REQ-12']],
    ['UTF-8 SHALL be used.', undefined]
  ])
})

t.test('a title is a phrase', async (t) => {
  const title = (sentence: string) => titleOf(written(sentence))
  t.equal(title('The locker must refuse further codes for ten minutes when a wrong code was entered.'),
    'Locker: refuse further codes for ten minutes')
  t.equal(title('The key is not allowed.'), 'The key is not allowed')
  t.equal(title('Implementations that support encodings must adhere to the rules.'),
    'Implementations: adhere to the rules')
})

t.test('a title is of the main clause, not of what leads to it', async (t) => {
  const title = (sentence: string) => titleOf(written(sentence))
  const titles: [string, string][] = [
    ['The dependency graph shows that the executor must start first.', 'Executor: start first'],
    ['The dependency graph shows that the executor leads both.', 'The executor leads both'],
    ['Implicit in this is that doors should be closed before the end.', 'Doors: closed before the end'],
    ['As part of this change, the output will be extended to show the state, if any.',
      'Output: extended to show the state'],
    ['When the gate is open, lamps are being lit.', 'Lamps are being lit'],
    ['After rain on doors, lamps and gates, parcels will be kept.', 'Parcels: kept'],
    ['Therefore all doors, including those of the cellar, must be locked before night.',
      'All doors: locked before night'],
    ['The scheduler will need to be updated for the new doors.', 'Scheduler: updated for the new doors'],
    ['Verify that the door is locked before the lamp goes out.', 'The door is locked before the lamp goes out'],
    ['That way, the guards will see each door.', 'Guards: see each door'],
    ['Doors will not block lamps - if all are open, lamps will be lit.', 'Doors: not block lamps'],
    ['In an update of the door, we must ensure that the lamp glows.', 'Ensure that the lamp glows']
  ]
  for (const [sentence, expected] of titles) t.equal(title(sentence), expected)
})

t.test('numbers, units and conditions survive byte for byte', async (t) => {
  const numbers = ['2 s', '1,500 cd/m2', '-25 °C', '0.8 seconds', '20 %', '10,000 EUR', '5 GiB', '99.95 %',
    '31.12.2025',
    '1:5', '4.5:1', '≤ 3 ms', '10Mi', '12 to 15 kg', '± 0.5 V']
  const frames = ['The pump must keep # at night.', 'When the level falls below #, the pump must stop.',
    'If # is exceeded, the pump shall sound an alarm.', 'The pump should, unless told otherwise, use #.',
    '- Users can set #']
  for (const number of numbers) {
    for (const frame of frames) {
      const text = `# Features\n\n${frame.replace('#', number)}`
      const [requirement] = compile(text).requirements
      t.ok(requirement?.statement.includes(number), `${number} in ${String(requirement?.statement)}`)
    }
  }
})

t.test('every number and unit of a demand is in its requirement', async (t) => {
  let seed = 7
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  const pick = (list: readonly string[]): string => list[random(list.length)] ?? ''
  const units = ['ms', 's', 'minutes', '%', 'kg', 'EUR', 'users', 'MB']
  for (let round = 0; round < 300; round++) {
    const measure = `${random(900) + 2}${pick([' ', ''])}${pick(units)}`
    const sentence = [pick(['', 'When the door opens, ', 'If the code is wrong, ', 'While it rains, ', 'After that, ']),
      pick(['the locker ', 'the system ', 'users ', 'each door that was opened ']),
      pick(['must ', 'shall not ', 'should ', 'needs to ']), pick(['stop ', 'send a message ', 'be able to wait ']),
      pick(['within ', 'after ', 'for at least ']), measure,
      pick(['', ' unless it is locked', ', or less']), '.'].join('')
    const [requirement] = compile(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`).requirements
    t.same(measuresOf(requirement?.statement ?? ''), measuresOf(sentence), sentence)
  }
})

t.test('a title keeps the negation of its requirement', async (t) => {
  const titled = (sentence: string) => titleOf(rewrite(sentence, { locale: 'en' }))
  t.equal(titled('Wallets should not store credentials longer than needed.'),
    'Wallets: not store credentials longer than needed')
  t.match(titled('These codes are OPTIONAL and clients SHOULD NOT depend on them.'), /not depend on them$/i)
  t.notMatch(titled('The door must open.'), /not/i)
})

t.test('“can” is rewritten only where people can: a fact and a loose subject keep their words', async (t) => {
  const facts = ['The kubelet cannot see the lamp.', 'Apart from that admins can watch the lamp.']
  for (const fact of facts) t.equal(written(fact).statement, fact)
  t.equal(written('Admins can watch the lamp.').statement, 'THE SYSTEM SHALL allow admins to watch the lamp.')
  t.equal(written('The lamp must be listed in the table,').statement, 'The lamp SHALL be listed in the table.')
})

t.test('a title names what is done to what, and skips what introduces the sentence', async (t) => {
  const title = (sentence: string) => titleOf(written(sentence))
  t.equal(title('As a result, the new lamp will become active in the hall.'),
    'New lamp: become active in the hall')
  t.equal(title('There should only be two lamps.'), 'Only two lamps')
  t.equal(title('The system must run on both devices.'), 'Run on both devices')
  t.equal(title('The interface must be written in plain German.'), 'Interface: written in plain German')
  t.equal(title('Any construct that cannot be translated is flagged as such and will never be dropped again.'),
    'Any construct that cannot be translated is flagged')
  t.equal(title('For a week of rain, a roof with an upper limit of ten leaks should be mended.'),
    'Roof with an upper limit of ten leaks: mended')
  t.equal(title('The share of lamps of the old kind in cellars must be less than 1%, counted at night.'),
    'Share of lamps of the old kind in cellars: less than 1%')
  t.equal(title('If the hall is not allowed to open, return a refusal to the caller.'),
    'Return a refusal to the caller')
})

t.test('a title divides the main clause in each language that is read', async (t) => {
  const titles: [ReadLanguage, string, string][] = [
    ['de', 'Das Tor MUSS nach dem letzten Zug geschlossen werden.', 'Tor: nach dem letzten Zug geschlossen'],
    ['de', 'Bei Regen MUSS das Tor eine Warnung anzeigen, bis jemand kommt.', 'Tor: eine Warnung anzeigen'],
    ['de', 'Es ist darauf zu achten, dass die Lampen nachts gedimmt werden SOLLEN.', 'Die Lampen nachts gedimmt'],
    ['fr', 'La serrure DOIT être accessible à tous les gardiens.', 'Serrure: accessible à tous les gardiens'],
    ['fr', 'Elle permettra de compter les colis.', 'Compter les colis'],
    ['es', 'El sistema DEBE bloquear la puerta de noche.', 'Sistema: bloquear la puerta de noche'],
    ['es', 'También PODRÁ abrir la puerta.', 'Abrir la puerta']
  ]
  for (const [language, statement, expected] of titles) {
    t.equal(titleOf({ response: null, subject: null, statement }, language), expected)
  }
})

t.test('a sentence whose subject is a person who speaks, or no plain one, stands as it is', async (t) => {
  for (const sentence of ['We suggest to use a taint to make sure pods will be evicted.', 'Instead it will detach.',
    'If a user wants to stop a node, he/she can validate it.', 'Feature gate only should be enabled there.']) {
    t.same([written(sentence).statement, written(sentence).pattern], [sentence, 'free'])
  }
  t.equal(written('So the controller must filter them.').statement, 'The controller SHALL filter them.')
  t.equal(written('A tool should be able to open doors.').statement, 'THE SYSTEM SHOULD allow a tool to open doors.')
})

t.test('a verb of a reason makes no permission of a demand or a story', async (t) => {
  const level = (text: string) => compile(text).requirements.map(({ statement, level }) => [statement, level])
  const story = 'Als Admin möchte ich Rollen vergeben, damit jeder nur seine Daten sehen kann.'
  t.same(level(story), [[story, 'MUST']])
  const listed = 'Export aller Daten, damit man sie prüfen kann.'
  t.same(level(`# Anforderungen\n\n- ${listed}`), [[listed, 'MUST']])
})

t.test('an abbreviation before a bracket ends no sentence', async (t) => {
  const { requirements } = compile('Alle Werte (Druck, Feuchte, etc.) müssen gesendet werden.')
  t.same(requirements.map(({ statement }) => statement),
    ['Alle Werte (Druck, Feuchte, etc.) MÜSSEN gesendet werden.'])
})
