import t from '../../../../test/tap.js'
import { compile } from '../engine/material.js'

const storiesOf = (text: string) =>
  compile(`# Stories\n\n${text}`).stories.map(({ role, want, so_that: soThat }) => [role, want, soThat])

t.test('stories in the first person have a role, in four languages', async (t) => {
  const all = [
    ['As an auditor, I need to see changes.', 'an auditor', 'see changes', ''],
    ['As a manager, I\'d like a digest so that I can plan.', 'a manager', 'a digest', 'I can plan'],
    ['As admins, we want to delete reports.', 'admins', 'delete reports', ''],
    ['As the owner of a report, I want to share it.', 'the owner of a report', 'share it', ''],
    ['As a courier I should be able to see my tour.', 'a courier', 'see my tour', ''],
    ['En tant que gestionnaire, j\'ai besoin d\'un export.', 'gestionnaire', 'un export', ''],
    ['En tant qu\'auditeur, je dois pouvoir lire le journal.', 'auditeur', 'lire le journal', ''],
    ['Als Prüferin brauche ich einen Export.', 'Prüferin', 'einen Export', ''],
    ['Als Kunde kann ich meine Adresse ändern.', 'Kunde', 'meine Adresse ändern', ''],
    ['Als Leser würde ich gerne Bücher vormerken.', 'Leser', 'Bücher vormerken', ''],
    ['Como auditor necesito ver los cambios.', 'auditor', 'ver los cambios', ''],
    ['Como usuario me gustaría recibir avisos.', 'usuario', 'recibir avisos', '']
  ] as const
  for (const [text, ...parts] of all) t.same(storiesOf(text), [parts], text)
  t.same(storiesOf(all.map(([text]) => text.slice(0, -1)).join('\n')), all.map(([, ...parts]) => parts))
})

t.test('a consequence is no story, and a story in German keeps its words', async (t) => {
  t.same(storiesOf('As a result, we need to wait.'), [])
  t.same(storiesOf('As we want to keep it simple, I need nothing.'), [])
  t.match(compile('# Stories\n\nAls Admin will ich Berichte löschen.').requirements,
    [{ statement: 'Als Admin will ich Berichte löschen.' }])
})
