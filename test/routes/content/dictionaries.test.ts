import { randomUUID } from 'node:crypto'
import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, makeProject, setBrand } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post } = actor(app)

const projectFor = async (locale: string, style: object = {}) => {
  const project = await makeProject(app, `In ${locale} ${randomUUID()}`)
  const locales = { default: locale, enabled: [locale] }
  await setBrand(app, project, { locales, style, terms: { protected: ['Larkspur'] } })
  return project
}

interface Finding { rule_id: string, match: string, suggestions: string[] }

const slips = async (locale: string, body_markdown: string, style?: object) => {
  const answer = await post('/checks', {
    project_id: await projectFor(locale, style), channel: 'blog', title: 'Text', locale, body_markdown
  })
  const all: Finding[] = answer.json().findings
  return all.filter(({ rule_id: rule }) => rule === 'CNT-LOC-MISSPELT')
    .map(({ match, suggestions }) => [match, suggestions[0]])
}

const german = 'Die Rechtschreibprüfung der Verwaltungsoberfläche kennt Zusammensetzungen wie den ' +
  'Veröffentlichungszeitpunkt und die Datenbankverbindung. Larkspur hat einen systemweiten Schalter, den man auch ' +
  'nach dem Mergen nutzen kann. Unsere Leser:innen haben Änderungen gepullt, bzw. sie wollen sie auschecken.'

t.test('German compounds, English verbs in German forms and abbreviations are no slips', async (t) => {
  t.same(await slips('de', german), [])
  t.same(await slips('de-AT', german), [], 'without a dictionary of its own, the language decides')
})

t.test('a German word a letter away from one in the dictionary is found, with what it may be', async (t) => {
  const text = `${german} Der Standart ist ein guter Rythmus. Das haus hat eine strasse und eine Addresse.`
  t.same(await slips('de', text), [
    ['Standart', 'Standard'], ['Rythmus', 'Rhythmus'], ['haus', 'Haus'], ['strasse', 'Straße'], ['Addresse', 'Adresse']
  ])
  t.same(await slips('de', text, { spelling: 'off' }), [], 'the brand may do without')
  t.same(await slips('de-CH', text), [], 'Switzerland writes ss, and its dictionary is not installed')
})

t.test('French and Spanish have their dictionaries, and names are left alone', async (t) => {
  t.same(await slips('fr', 'Aujourd’hui, l’homme va à l’école avec Kowalsky. Il a une addresse et un language.'),
    [['addresse', 'adresse']], 'English words are those of the trade')
  t.same(await slips('es', 'El hombre tiene una direccion nueva y trabaja con Kowalsky en la oficina.'),
    [['direccion', 'dirección']])
})

t.test('a language without a dictionary is not checked', async (t) => {
  t.same(await slips('tlh', 'Qapla qaleghneS batlh bIHeghjaj'), [])
})
