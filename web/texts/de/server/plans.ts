/** What a change does, and how it is undone */
export const plans: Record<string, string> = {
  'Scale service {name} in cluster {cluster} ({region}, account {account}) from {before} to {after}':
    'Service {name} in Cluster {cluster} ({region}, Konto {account}) von {before} auf {after} skalieren',
  'Plan only: {what}': 'Nur planen: {what}',
  'Restart all tasks of service {name} in cluster {cluster} ({region}, account {account})':
    'Alle Tasks des Service {name} in Cluster {cluster} ({region}, Konto {account}) neu starten',
  'Roll back service {name} in cluster {cluster} ({region}, account {account})':
    'Service {name} in Cluster {cluster} ({region}, Konto {account}) zurückrollen',
  'Deploy {image} to service {name} in cluster {cluster} ({region}, account {account})':
    '{image} auf Service {name} in Cluster {cluster} ({region}, Konto {account}) ausliefern',
  'Cancel deployment {id} of service {name} in cluster {cluster} ({region}, account {account})':
    'Deployment {id} des Service {name} in Cluster {cluster} ({region}, Konto {account}) abbrechen',
  'Check only: deploy {image} to function {name} ({region}, account {account})':
    'Nur prüfen: {image} auf Funktion {name} ({region}, Konto {account}) ausliefern',
  'Deploy {image} to function {name} ({region}, account {account})':
    '{image} auf Funktion {name} ({region}, Konto {account}) ausliefern',
  'Invoke function {name} ({region}, account {account})': 'Funktion {name} ({region}, Konto {account}) aufrufen',
  'Invoke in the background function {name} ({region}, account {account})':
    'Funktion {name} ({region}, Konto {account}) im Hintergrund aufrufen',
  'Check that it may be invoked: function {name} ({region}, account {account})':
    'Prüfen, ob Funktion {name} ({region}, Konto {account}) aufgerufen werden darf',
  'Call {tool} of the tool server {server}': '{tool} des Tool-Servers {server} aufrufen',
  'This {what} has cost {spent} USD of {limit} USD. Let it cost {more} USD more?':
    'Das hat {spent} USD von {limit} USD gekostet. Darf es {more} USD mehr kosten?',
  'Create project {name}': 'Projekt {name} anlegen',
  'Change project {name}: {fields}': 'Projekt {name} ändern: {fields}',
  'Archive project {name}': 'Projekt {name} archivieren',
  'Test the permissions of cloud account {name}': 'Berechtigungen des Cloud-Kontos {name} testen',
  'Replace the brand settings of project {name}': 'Marke des Projekts {name} ersetzen',
  'Create the brief "{title}" in project {project}': 'Briefing „{title}“ im Projekt {project} anlegen',
  'Change the brief "{title}"': 'Briefing „{title}“ ändern',
  'Move the brief "{title}" from {from} to {to}': 'Briefing „{title}“ von {from} nach {to} bewegen',
  'Archive the brief "{title}"': 'Briefing „{title}“ archivieren',
  'Create the {channel} draft "{title}" in project {project}':
    'Entwurf „{title}“ ({channel}) im Projekt {project} anlegen',
  'Change nothing of "{title}": its newest version says the same':
    'An „{title}“ nichts ändern: Die neueste Version sagt dasselbe',
  'Move version {version} of "{title}" from {from} to {to}':
    'Version {version} von „{title}“ von {from} nach {to} bewegen',
  'Archive "{title}"': '„{title}“ archivieren',
  'Restore "{title}"': '„{title}“ wiederherstellen',
  'Delete "{title}"; for 30 days it can be brought back': '„{title}“ löschen; 30 Tage lang lässt es sich zurückholen',
  'Bring back the deleted record "{title}"': 'Gelöschten Inhalt „{title}“ zurückholen',
  'Accept the suggestion for {target} of "{title}"': 'Vorschlag für {target} von „{title}“ annehmen',
  'Reject the suggestion for {target} of "{title}"': 'Vorschlag für {target} von „{title}“ ablehnen',
  'Comment on "{words}" in "{title}"': '„{words}“ in „{title}“ kommentieren',
  'Reply to the comment on "{words}" in "{title}"': 'Auf den Kommentar zu „{words}“ in „{title}“ antworten',
  'Resolve the comment on "{words}" in "{title}"': 'Kommentar zu „{words}“ in „{title}“ erledigen',
  'Open again the comment on "{words}" in "{title}"': 'Kommentar zu „{words}“ in „{title}“ wieder öffnen',
  'Ask {person} to review "{title}"': '{person} um die Prüfung von „{title}“ bitten',
  'Let nobody in particular review "{title}"': 'Für „{title}“ keinen bestimmten Prüfer vorsehen',
  'Take "{title}" back from {targets}': '„{title}“ zurücknehmen: {targets}',
  'Cancel: {what}': 'Abbrechen: {what}',
  'Try again: {what}': 'Noch einmal versuchen: {what}',
  'Create the spec session “{title}”': 'Spezifikation „{title}“ anlegen',
  'Change the spec session “{title}”': 'Spezifikation „{title}“ ändern',
  'Delete the spec session “{title}” with all its versions; for 30 days it can be brought back':
    'Spezifikation „{title}“ mit allen Versionen löschen; 30 Tage lang lässt sie sich zurückholen',
  'Add {count} to the spec session “{title}”': 'Der Spezifikation „{title}“ hinzufügen: {count}',
  'Cancel the generation of the spec “{title}”': 'Erzeugung der Spezifikation „{title}“ abbrechen',
  'Move the spec session “{title}” to {state}': 'Spezifikation „{title}“ nach {state} bewegen',
  'Open a pull request in {repository} with {what}, into {base}':
    'In {repository} einen Pull Request nach {base} öffnen, mit {what}',
  'Open a pull request in {repository}: branch {head} with {files}, into {base}':
    'In {repository} einen Pull Request nach {base} öffnen: Branch {head} mit {files}',
  'Update pull request {number} of {repository} to {what}': 'Pull Request {number} von {repository} ändern: {what}',
  'Update pull request {number} of {repository}: put {files} on branch {head}':
    'Pull Request {number} von {repository} ändern: {files} auf Branch {head}',
  'Copy the standard {title}': 'Standard {title} kopieren',
  'Add the standard {title}': 'Standard {title} anlegen',
  'Change the standard {title}': 'Standard {title} ändern',
  'Archive the standard {title}': 'Standard {title} archivieren',
  'Create app {name}': 'App {name} anlegen',
  'Change app {name}: {fields}': 'App {name} ändern: {fields}',
  'Delete app {name} with the record of its builds; for 30 days it can be brought back':
    'App {name} mit ihren Builds löschen; 30 Tage lang lässt sie sich zurückholen',
  'Deploy {what} of app {name} to {target}': 'App {name} aus {what} ausliefern: {target}',
  'Roll app {name} back to {what}': 'App {name} zurückrollen auf {what}',
  'Cancel build {number} of app {name}': 'Build {number} der App {name} abbrechen',
  'Make drafts of the brief "{title}"': 'Entwürfe zum Briefing „{title}“ erzeugen',
  'Check "{title}"': '„{title}“ prüfen',
  'Write a repaired draft version of "{title}"': 'Von „{title}“ eine korrigierte Version schreiben',
  'Rewrite, as a draft version, "{title}"': '„{title}“ als Entwurf neu schreiben',
  'Rewrite parts of, as a draft version, "{title}"': 'Teile von „{title}“ als Entwurf neu schreiben',
  'Make drafts for other channels from "{title}"': 'Aus „{title}“ Entwürfe für andere Kanäle machen',
  'Make translated drafts of "{title}"': '„{title}“ übersetzen',
  'Generate the spec “{title}”': 'Spezifikation „{title}“ erzeugen',
  'Generate the spec “{title}”, only to say what it would cost':
    'Nur schätzen, was die Spezifikation „{title}“ kosten würde',
  'Make sections anew of the spec “{title}”': 'Abschnitte der Spezifikation „{title}“ neu erzeugen',
  'Make requirements anew of the spec “{title}”': 'Anforderungen der Spezifikation „{title}“ neu erzeugen',
  'Repair the spec “{title}”': 'Spezifikation „{title}“ korrigieren',
  'Check again the spec “{title}”': 'Spezifikation „{title}“ noch einmal prüfen',
  'Take files over into the spec “{title}”': 'Dateien in die Spezifikation „{title}“ übernehmen',
  'Publish version {version} of "{title}" to {target}': 'Version {version} von „{title}“ veröffentlichen: {target}',
  'Take back version {version} of "{title}" from {target}': 'Version {version} von „{title}“ zurücknehmen: {target}',
  'Cancel the generation ({mode}) of {titles}': 'Erzeugung ({mode}) von {titles} abbrechen',
  'Go on with the generation ({mode}) of {titles}': 'Erzeugung ({mode}) von {titles} fortsetzen',
  'Create {count} in {repository} for tasks of version {version} of the spec “{title}”':
    'In {repository} für Aufgaben von Version {version} der Spezifikation „{title}“ anlegen: {count}',
  'Scale it back to {count}': 'Zurück auf {count} skalieren',
  'Roll back to {revision}': 'Auf {revision} zurückrollen',
  'Archive it': 'Archivieren',
  'Change it back': 'Zurück ändern',
  'nothing: it is so already': 'nichts: Es ist schon so',
  'This session already sent this very call': 'Dieser Chat hat genau diesen Aufruf schon gesendet',
  'shown with the question': 'bei der Freigabe zu sehen',
  '{count} more': '{count} weitere',
  '{count} more of group {groups}': '{count} weitere aus der Gruppe {groups}'
}
