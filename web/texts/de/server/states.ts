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
  'Cancelled by {who} before ECS was asked to change the service':
    'Von {who} abgebrochen, bevor ECS den Service ändern sollte',
  'Cancelled by {who}: ECS goes back to {revision}': 'Von {who} abgebrochen: ECS geht zurück auf {revision}',
  'The cancel was refused, so the deployment goes on: {reason}':
    'Das Abbrechen wurde abgelehnt, das Deployment geht weiter: {reason}',
  'Not finished before its deadline; AWS may go on': 'Nicht rechtzeitig fertig; AWS macht vielleicht weiter',
  'The last poll failed: {reason}': 'Die letzte Abfrage ist fehlgeschlagen: {reason}',
  'Waiting for the last tasks': 'Wartet auf die letzten Tasks',
  'Another deployment ({id}) took over with {revision}': 'Ein anderes Deployment ({id}) hat mit {revision} übernommen',
  'The service is {state}': 'Der Service ist {state}',
  'Superseded by deployment {id}': 'Abgelöst von Deployment {id}',
  'The task definition could not be read: {reason}': 'Die Taskdefinition konnte nicht gelesen werden: {reason}',
  'Autoscaling could not be read: {reason}': 'Das Autoscaling konnte nicht gelesen werden: {reason}',
  'Stopped tasks could not be read: {reason}': 'Angehaltene Tasks konnten nicht gelesen werden: {reason}',
  'Running tasks could not be read: {reason}': 'Laufende Tasks konnten nicht gelesen werden: {reason}',
  'The task definition could not be read': 'Die Taskdefinition konnte nicht gelesen werden',
  'The logs go to {driver}, not to CloudWatch': 'Die Logs gehen an {driver}, nicht an CloudWatch',
  'ECS reports it only while tasks of the service run': 'ECS meldet sie nur, solange Tasks des Service laufen',
  'A load balancer reports only what is not 0, and times only of requests':
    'Ein Load Balancer meldet nur, was nicht 0 ist, und Zeiten nur von Anfragen',
  'Lambda reports it only when the function is invoked': 'Lambda meldet sie nur, wenn die Funktion aufgerufen wird',
  '{running} of {desired} tasks run, {pending} are pending': '{running} von {desired} Tasks laufen, {pending} starten gerade',
  'Task {id} runs and is unhealthy by its health check': 'Task {id} läuft, doch seine Zustandsprüfung schlägt fehl',
  'Deployment of {revision} is {status}: {running} of {desired} tasks run, {failed} failed. {why}':
    'Deployment von {revision}: {status}; {running} von {desired} Tasks laufen, {failed} gescheitert. {why}',
  'Deployment of {revision} is {status}: {running} of {desired} tasks run, {failed} failed':
    'Deployment von {revision}: {status}; {running} von {desired} Tasks laufen, {failed} gescheitert',
  '1 task stopped lately: {why}': '1 Task ist kürzlich ausgefallen: {why}',
  '{count} tasks stopped lately: {why}': '{count} Tasks sind kürzlich ausgefallen: {why}',
  'Alarm {name} fires: {why}': 'Alarm {name} schlägt an: {why}',
  'Alarms could not be read: {reason}': 'Alarme konnten nicht gelesen werden: {reason}',
  'Logs could not be read: {reason}': 'Logs konnten nicht gelesen werden: {reason}',
  'Logs of {name} could not be read: {reason}': 'Logs von {name} konnten nicht gelesen werden: {reason}',
  'The health of targets is not read: Steward does not ask load balancers':
    'Der Zustand der Ziele wird nicht gelesen: Steward fragt keine Load Balancer',
  'CloudWatch left it out of its answer': 'CloudWatch hat sie in seiner Antwort ausgelassen',
  'CloudWatch did not answer all of it': 'CloudWatch hat nicht alles geliefert',
  'CloudWatch does not say whether it is complete': 'CloudWatch sagt nicht, ob das alles ist',
  'CloudWatch has more than the {pages} pages that were read': 'CloudWatch hat mehr als die {pages} gelesenen Seiten',
  'CloudWatch had an error of its own; ask again': 'CloudWatch hatte selbst einen Fehler; frag noch einmal',
  'CloudWatch does not let this account read it': 'CloudWatch lässt dieses Konto sie nicht lesen',
  'Only the first {count} of {all} target groups are read': 'Nur die ersten {count} von {all} Zielgruppen werden gelesen',
  'CloudWatch has had no request of target group {name} in the last two weeks':
    'CloudWatch hat in den letzten zwei Wochen keine Anfrage der Zielgruppe {name} gesehen',
  'The metrics of target group {name} could not be read: {reason}':
    'Die Metriken der Zielgruppe {name} konnten nicht gelesen werden: {reason}',
  'No container has a log driver': 'Kein Container hat einen Log-Treiber',
  'The log group {group} does not exist: nothing has been logged yet':
    'Die Log-Gruppe {group} gibt es nicht: Noch wurde nichts geloggt',
  'The cluster has no task to look at': 'Der Cluster hat keinen Task zum Ansehen',
  'The cluster has no service to look at': 'Der Cluster hat keinen Service zum Ansehen',
  'No task definition is known': 'Keine Taskdefinition ist bekannt',
  'The region has no cluster to look at': 'Die Region hat keinen Cluster zum Ansehen',
  'The region has no function to look at': 'Die Region hat keine Funktion zum Ansehen',
  'The service has no deployment to look at': 'Der Service hat kein Deployment zum Ansehen',
  'Needs ecs:RegisterTaskDefinition to be tried': 'Lässt sich nur mit ecs:RegisterTaskDefinition versuchen',
  'The account is read-only here: writes are not tried':
    'Das Konto ist hier nur zum Lesen: Änderungen werden nicht versucht',
  'AWS refused the probe for another reason than permission':
    'AWS hat den Versuch aus einem anderen Grund abgelehnt, nicht wegen der Berechtigung',
  ['{reason} It was tried on {resource}, which does not exist: a policy that names its resources may allow it on ' +
    'those']:
    '{reason} Versucht wurde es an {resource}, das es nicht gibt: Eine Policy, die ihre Ressourcen nennt, erlaubt es ' +
    'vielleicht an diesen',
  'Not everything was answered within {seconds} s': 'Nicht alles wurde innerhalb von {seconds} s beantwortet',
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
