import t from '../../../../test/tap.js'
import { compile } from './material.js'

const statementsOf = (text: string) => compile(text).requirements.map(({ statement, level }) => [statement, level])

t.test('what “is to be” done is demanded in a whole sentence, and what is desirable or optional less', async (t) => {
  t.same(statementsOf('# Requirements\n\n- Loans are to be deleted after 30 days.\n- Cover images (optional)\n' +
    '- It is highly desirable that holds can be moved.\n- Guests can pay by card (nice to have).'), [
    ['Loans SHALL be deleted after 30 days.', 'MUST'],
    ['Cover images (optional)', 'MAY'],
    ['It is highly desirable that holds can be moved.', 'SHOULD'],
    ['THE SYSTEM MAY allow guests to pay by card (nice to have).', 'MAY']
  ])
  t.same(statementsOf('The reason shall be stored with the loan.'), [
    ['The reason SHALL be stored with the loan.', 'MUST']
  ])
})

t.test('a title ends before an abbreviation and a clause that it cannot finish', async (t) => {
  const titles = (text: string) => compile(`# Requirements\n\n- ${text}`).requirements.map(({ title }) => title)
  t.same(titles('A link can be used by max. 10 people.'), ['Allow a link to be used'])
  t.same(titles('Staff should be able to override a block after entering a reason.'),
    ['Allow staff to override a block'])
  t.same(titles('It is desirable that holds can be moved.'), ['Holds: moved'])
  t.same(titles('Failures are visible in the list and can be replayed.'), ['Failures are visible in the list'])
})

t.test('a row of a table of qualities has its measure and target, its category’s kind, and its notes', async (t) => {
  const { requirements } = compile(`# Qualities

| ID | Category | Requirement | Metric | Target | Notes |
|---|---|---|---|---|---|
| N-1 | Security | Sessions time out | idle time | 15 min | Asked for by the auditor |
| N-2 | Legal | Imprint on each page | | | |
`)
  t.match(requirements, [
    {
      id: 'QR-001',
      statement: 'Sessions time out: idle time 15 min',
      rationale: 'Asked for by the auditor',
      source_ids: ['N-1']
    },
    { id: 'CR-001', statement: 'Imprint on each page', rationale: '' }
  ])
})

t.test('among requirements, a table with targets demands each row, with what happens then', async (t) => {
  t.same(statementsOf(`# Retention periods

Category | Keep for | Then
--- | --- | ---
Access logs | 30 days | delete
`), [['Access logs: 30 days, then delete', 'MUST']])
  t.same(statementsOf('# Costs\n\n| Item | Target |\n|---|---|\n| Lamps | 30 |\n'), [])
})

t.test('each row of a scenario outline is a criterion, below what the background gives', async (t) => {
  const { stories, requirements } = compile(`Feature: Cash
  In order to get money at night
  As a holder
  I want to withdraw cash

  Background:
    Given the card is enabled

  Scenario Outline: Wrong number
    When the number is wrong <times> times
    Then the card is <what>

    Examples:
      | times | what     |
      | 2     | returned |
      | 3     | kept     |
`)
  const criterion = (when: string, then: string) => ({ given: 'the card is enabled', when, then })
  t.match(stories, [{ role: 'a holder', want: 'withdraw cash', so_that: 'get money at night' }])
  t.match(requirements, [{
    acceptance: [
      criterion('the number is wrong 2 times', 'the card is returned'),
      criterion('the number is wrong 3 times', 'the card is kept')
    ]
  }])
})

t.test('a question that is answered where it is asked is a decision, and open no more', async (t) => {
  const { decisions, open_questions: questions, non_goals: others } = compile(`# Open

- [x] Should links be single-use? → No, decided in May
- [ ] Do we need a maximum?

# FAQ

Q: Can guests see the reason?
A: No, only staff can.
`)
  t.same(decisions.map(({ outcome }) => outcome),
    ['Should links be single-use? No, decided in May', 'Can guests see the reason? No, only staff can.'])
  t.same(questions.filter(({ about }) => about === 'input').map(({ question }) => question), ['Do we need a maximum?'])
  t.same(others, [])
})

t.test('how things are now is the problem, in German too, and demands nothing', async (t) => {
  const { requirements, problem, not_taken: others } = compile(
    '# Lastenheft\n\n## Ausgangslage\n\nDie Abteilung muss Dateien von Hand kopieren.\n\n## Funktionen\n\n' +
    '/LF10/ Buchungen sind 10 Jahre aufzubewahren.\n/LF20/ (Wunsch) Auswertung nach Projekten\n')
  t.equal(problem, 'Die Abteilung muss Dateien von Hand kopieren.')
  t.match(others, [{ quote: problem, class: 'rationale', why: 'Its section says how things are now' }])
  t.match(requirements, [
    { statement: 'Buchungen sind 10 Jahre aufzubewahren.', level: 'MUST', source_ids: ['LF10'] },
    { statement: '(Wunsch) Auswertung nach Projekten', level: 'MAY', source_ids: ['LF20'] }
  ])
})

t.test('the outcome of a decision measures nothing, and its consequences are no problem to solve', async (t) => {
  const document = compile('# Keep uploads\n\n## Context and problem\n\nUploads are lost.\n\n## Decision outcome\n\n' +
    'Chosen option: object storage.\n\nLinks expire after 15 minutes.\n\n### Consequences\n\n* Good: no state\n')
  t.same(document.success_criteria, [])
  t.same(document.decisions.map(({ outcome }) => outcome),
    ['Chosen option: object storage.', 'Links expire after 15 minutes.'])
  t.equal(document.problem, 'Uploads are lost.')
})

t.test('a statement among requirements that demands nothing is listed with its reason', async (t) => {
  const { not_taken: others } = compile('# Requirements\n\nVersion 1 works until the end of next year.\n\n' +
    '- Italian later, maybe\n')
  t.match(others, [
    { quote: 'Version 1 works until the end of next year.', class: 'unclear' },
    { quote: 'Italian later, maybe', class: 'unclear', why: 'It is not settled' }
  ])
})
