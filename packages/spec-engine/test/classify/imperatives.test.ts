import t from '../../../../test/tap.js'
import { compile } from '../engine/material.js'

const statements = (text: string) => compile(text).requirements.map(({ statement }) => statement)
const list = (heading: string, items: string[]) =>
  `# Portal\n\n## ${heading}\n\n${items.map((one) => `- ${one}`).join('\n')}`
const unclear = (text: string) =>
  (compile(text).not_taken ?? []).filter((one) => one.class === 'unclear').map(({ quote }) => quote)

t.test('an imperative in a list of requirements is a demand; of what only a product does, in EARS', async (t) => {
  const items = ['Let people schedule a report', 'Support SSO', 'Do not show prices', 'Manage users', 'Filter by date']
  for (const heading of ['Requirements', 'Scope', 'Must have', 'Features']) {
    t.same(statements(list(heading, items)), ['THE SYSTEM SHALL let people schedule a report.',
      'THE SYSTEM SHALL support SSO.', 'THE SYSTEM SHALL NOT show prices.', 'Manage users', 'Filter by date'], heading)
  }
  t.same(statements('# Scope\n\nLet managers approve a report within 2 days! It is slow today.'),
    ['THE SYSTEM SHALL let managers approve a report within 2 days.'])
})

t.test('imperatives in steps, instructions and examples are none', async (t) => {
  for (const heading of ['How to install', 'Steps', 'Examples', 'Vorgehen', 'Getting started', 'Anything else']) {
    t.same(statements(list(heading, ['Show the settings', 'Allow pop-ups'])), [], heading)
  }
  t.same(statements('# Lastenheft\n\n## Anleitung\n\n- Server installieren'), [])
})

t.test('infinitives and nouns of activities keep their words; a mere name is listed as unclear', async (t) => {
  const lists = [
    ['Requirements', [], ['Real-time alerts', 'Support team', 'Export formats'], 'The customer is always in a hurry.'],
    ['Anforderungen', ['Benutzer verwalten', 'Anbindung an das Kassensystem'],
      ['Schnelle Suche', 'Grafische Oberfläche für Kunden'], 'Der Kunde ist König und die Zeit ist knapp.'],
    ['Exigences', ['Exporter les factures', 'Gestion des utilisateurs : création, suppression', 'Saisie des factures'],
      ['Tableau de bord', 'Interface simple et intuitive'], 'Le client est pressé et la date est dans le contrat.'],
    ['Requisitos', ['Exportar informes', 'Gestión de usuarios: alta y baja'], ['Búsqueda rápida'],
      'El cliente es amable y la fecha es de un año.']
  ] as const
  for (const [heading, demands, names, sentence] of lists) {
    const text = list(heading, [...demands, ...names])
    const whole = `${text}\n\n${sentence}`
    t.same(statements(whole), demands, heading)
    t.same(unclear(whole), [...names, sentence], heading)
  }
})

t.test('what people can do, among requirements, is a demand on the product; KANN in capitals is not', async (t) => {
  const levels = (text: string) => compile(text).requirements.map(({ level }) => level)
  t.same(levels(list('Requirements', ['Users can cancel a visit'])), ['MUST'])
  t.same(levels(list('Anforderungen', ['Patienten können einen Termin mit der App absagen'])), ['MUST'])
  t.same(levels(list('Exigences', ['Les agents peuvent refuser une demande par le guichet'])), ['MUST'])
  t.same(levels(list('Requisitos', ['Los clientes pueden cancelar una cita con la app'])), ['MUST'])
  t.same(levels(list('Anforderungen', ['Die App KANN einen Termin mit dem Kalender teilen'])), ['MAY'])
})

t.test('an item that only names a version or a format is unclear; one with a bound or a verb demands', async (t) => {
  const values = ['PDF/A-3', 'iOS 17', 'containerd v1.5.6', 'UTF-8']
  const text = list('Features', ['The system must export files', ...values, 'Max. 5 users', 'SSO via SAML 2.0'])
  t.same(unclear(text), values)
  t.same(statements(text), ['THE SYSTEM SHALL export files.', 'Max. 5 users', 'SSO via SAML 2.0'])
  t.same(statements('# Portal\n\n## Requirements\n\nThe system must support these formats:\n\n- PDF/A-3\n- UTF-8\n'),
    ['THE SYSTEM SHALL support these formats: PDF/A-3; UTF-8.'])
})
