/** How a service is, and what an account may do */
export const services: Record<string, string> = {
  'The service was deleted': 'Der Service wurde gelöscht',
  'The service is being deleted': 'Der Service wird gerade gelöscht',
  'AWS does not say how the service is': 'AWS sagt nicht, wie es dem Service geht',
  'The service is scaled to 0': 'Der Service ist auf 0 skaliert',
  'The last deployment failed': 'Das letzte Deployment ist fehlgeschlagen',
  'A deployment is in progress': 'Ein Deployment ist im Gang',
  'Tasks of the newest deployment fail': 'Tasks des neuesten Deployments scheitern',
  '{running} of {desired} tasks run. Last stop: {why}': '{running} von {desired} Tasks laufen. Letztes Ende: {why}',
  '{running} of {desired} tasks run: {why}': '{running} von {desired} Tasks laufen. AWS meldet: {why}',
  '{running} of {desired} tasks run': '{running} von {desired} Tasks laufen',
  'Tasks keep stopping: {why}': 'Tasks enden immer wieder: {why}',
  'AWS cannot narrow access keys: whatever is sent may do all that their user may. Use a role instead':
    'AWS kann Zugriffsschlüssel nicht einschränken: Was gesendet wird, darf alles, was ihr Benutzer darf. ' +
    'Nimm stattdessen eine Rolle',
  'The identity of the server itself is used as it is: whatever is sent may do all that it may. Use a role instead':
    'Die Identität des Servers wird benutzt, wie sie ist: Was gesendet wird, darf alles, was sie darf. ' +
    'Nimm stattdessen eine Rolle',
  'The trust policy of the role lacks {actions}, so {therefore}':
    'Der Vertrauensrichtlinie der Rolle fehlt {actions}: CloudTrail zeigt darum weniger davon, wer eine ' +
    'Änderung wollte. Ergänze es wie in docs/cloud-accounts.md, dann teste das Konto'
}

/** What happened in a repository */
export const activity: Record<string, string> = {
  '{who} pushed to {ref}': '{who} hat auf {ref} gepusht',
  '{who} pushed 1 commit to {ref}': '{who} hat 1 Commit auf {ref} gepusht',
  '{who} pushed {count} commits to {ref}': '{who} hat {count} Commits auf {ref} gepusht',
  '{who} force-pushed to {ref}': '{who} hat {ref} mit Gewalt überschrieben',
  '{who} created the branch {ref}': '{who} hat den Branch {ref} angelegt',
  '{who} deleted the branch {ref}': '{who} hat den Branch {ref} gelöscht',
  '{who} created the tag {ref}': '{who} hat das Tag {ref} angelegt',
  '{who} opened pull request #{number} again': '{who} hat Pull Request #{number} wieder geöffnet',
  '{who} opened pull request #{number}': '{who} hat Pull Request #{number} geöffnet',
  '{who} closed pull request #{number}': '{who} hat Pull Request #{number} geschlossen',
  '{who} merged pull request #{number}': '{who} hat Pull Request #{number} gemergt',
  '{who} changed pull request #{number} ({what})': '{who} hat Pull Request #{number} geändert ({what})',
  '{who} reviewed pull request #{number} ({what})': '{who} hat Pull Request #{number} geprüft ({what})',
  '{who} published the release {name}': '{who} hat das Release {name} veröffentlicht',
  '{who} renamed the repository from {from} to {to}': '{who} hat das Repository von {from} in {to} umbenannt',
  '{who} renamed the repository to {to}': '{who} hat das Repository in {to} umbenannt',
  '{who} changed the repository ({what})': '{who} hat das Repository geändert ({what})',
  '{who} changed {ref}': '{who} hat {ref} geändert'
}
