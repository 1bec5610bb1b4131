/** Words for people: a fact about what they must do today is no demand on the product. */
const named = new Set(('people person persons user users customer customers staff admin admins administrator ' +
  'administrators operator operators developer developers team teams agent agents guest guests employee employees ' +
  'manager managers technician technicians visitor visitors beekeeper beekeepers resident residents we you i they ' +
  'everyone everybody somebody someone anyone one supplier suppliers maintainer maintainers author authors tester ' +
  'testers member members patient patients student students teacher teachers driver courier couriers reader clerk ' +
  'clerks reviewer reviewers contributor contributors engineer engineers consumer subscribers company companies ' +
  'client clients programmer programmers caller callers broker brokers owner owners attendees organisation ' +
  'organizations ' +
  'user\'s he she who interpreters browsers mitarbeitende mitarbeiter kunden nutzer anwender benutzer kollegen ' +
  'habitants agents clients utilisateurs usagers citoyens jardineros usuarios clientes empleados ciudadanos ' +
  'operadores responsables salariés employés collaborateurs gestionnaires équipes personal personnel ' +
  'personalabteilung abteilung sachbearbeiter teamleitung').split(' '))

/** Characters of a subject that are looked at. */
const maxSubject = 150

/** @returns whether the words before a modal verb end in a word for people, such as "A branch manager" */
export const isAboutPeople = (before: string): boolean => {
  const words = before.slice(-maxSubject).toLowerCase().replace(/[^\p{L}' ]/gu, ' ').trim().split(/ +/)
  const head = words.slice(0, 12)
  const cut = head.findIndex((word) => /^(?:who|that|which|in|of|with|at|from)$/.test(word))
  const subject = head.slice(0, cut > 0 ? cut : undefined)
  return named.has(subject.at(-1) ?? '') || named.has(words.at(-1) ?? '') ||
    (/^(?:often|still|also|then|always|just|usually|sometimes|frequently)$/.test(subject.at(-1) ?? '') &&
      named.has(subject.at(-2) ?? ''))
}
