/** What an error says besides its title: cloud, deployments, content and specs */
export const deliveryDetails: Record<string, string> = {
  '{role} could not be assumed: {message}': '{role} ließ sich nicht übernehmen: {message}',
  'The account has no role_arn yet': 'Das Konto hat noch keine Rolle (role_arn)',
  'The account has no keys': 'Das Konto hat keine Schlüssel',
  'Nothing was sent: STS gave no session for it. {message}':
    'Nichts wurde gesendet: STS gab keine Sitzung dafür. {message}',
  'The cloud account was changed or removed meanwhile; ask again':
    'Das Cloud-Konto wurde inzwischen geändert oder entfernt; frag noch einmal',
  '{what} repeats a page token: the endpoint\'s list has no end':
    '{what} wiederholt eine Seitenmarke: Die Liste hat kein Ende',
  '{what} was not answered whole within {seconds} s': '{what} wurde nicht innerhalb von {seconds} s ganz beantwortet',
  '{what} has more than {count} pages, more than AWS allows':
    '{what} hat mehr als {count} Seiten, mehr als AWS erlaubt',
  'More than {count} paid pages: ask for fewer days or groups':
    'Mehr als {count} bezahlte Seiten: Frag nach weniger Tagen oder Gruppen',
  '{name} has used its {count} paid requests of today':
    '{name} hat die {count} bezahlten Anfragen von heute verbraucht',
  'A deployment of a service in this account is live': 'Ein Deployment eines Service in diesem Konto ist im Gang',
  'The new credentials belong to AWS account {number}, not {other}':
    'Die neuen Zugangsdaten gehören zum AWS-Konto {number}, nicht zu {other}',
  'The current revision is {number}': 'Aktuell ist die Revision {number}',
  'An archived brief is not edited; bring it back first':
    'Ein archiviertes Briefing wird nicht bearbeitet; hole es zuerst zurück',
  'The brief is archived': 'Das Briefing ist archiviert',
  'It is {status}, and cannot become {other}': 'Der Zustand ist {status}; daraus wird nicht {other}',
  'The brand has {count} styles': 'Die Marke hat {count} Stilregeln',
  'That would be {count} rules; {most} at most': 'Das wären {count} Regeln; höchstens {most}',
  'That would be {count} records; {most} at most': 'Das wären {count} Inhalte; höchstens {most}',
  '{address} is taken': '{address} ist vergeben',
  'Restore it before it is edited': 'Stelle es wieder her, bevor du es bearbeitest',
  'Restore it before it is commented on': 'Stelle es wieder her, bevor du es kommentierst',
  'Only who wrote a comment changes it': 'Einen Kommentar ändert nur, wer ihn geschrieben hat',
  'They occur {count} times: say where, by start or by more of prefix and suffix':
    'Die Wörter stehen {count}-mal da: Wähle die Stelle genauer',
  '{field} does not have them in that version': 'In dieser Version stehen die Wörter nicht ({field})',
  'Begin another thread': 'Beginne ein neues Gespräch',
  'They are none of those who may approve it': 'Diese Person darf das nicht freigeben',
  'The workspace has no such person': 'Der Workspace hat diese Person nicht',
  'The person is disabled': 'Die Person ist deaktiviert',
  'The person is no approver in this project': 'Die Person gibt in diesem Projekt nichts frei',
  'The person wrote the newest version, and the brand lets no one approve their own':
    'Die Person hat die neueste Version geschrieben, und die Marke lässt niemanden das Eigene freigeben',
  'The brand lets only the assigned reviewer approve: ask them, or have another one assigned':
    'Die Marke lässt nur die zugewiesene Person freigeben: Frag sie, oder lass jemand anderen zuweisen',
  'The record has no version {number}': 'Der Inhalt hat keine Version {number}',
  'The brand has no version {number}': 'Die Marke hat keine Version {number}',
  'Version {number} is not approved; only an approved text is adapted':
    'Version {number} ist nicht freigegeben; nur ein freigegebener Text wird angepasst',
  'Version {number} is not approved': 'Version {number} ist nicht freigegeben',
  'No version is approved': 'Keine Version ist freigegeben',
  'Version {number} is the newest': 'Version {number} ist die neueste',
  'Version {number} is current': 'Version {number} ist die aktuelle',
  'Version {number} of "{title}" has it': 'Version {number} von „{title}“ hat es',
  'Version {number} of "{title}" has it, and many more': 'Version {number} von „{title}“ hat es, und viele weitere',
  'Version {number} of "{title}" has it, and {count} more':
    'Version {number} von „{title}“ hat es, und {count} weitere',
  'One mark says that something is missing: write it, or take the mark out':
    'Eine Markierung sagt, dass etwas fehlt: Schreib es, oder nimm sie heraus',
  '{count} marks say that something is missing: write it, or take the mark out':
    '{count} Markierungen sagen, dass etwas fehlt: Schreib es, oder nimm sie heraus',
  'One error is open: edit the text, or waive the findings that are right as they are':
    'Ein Fehler ist offen: Ändere den Text, oder nimm die Befunde aus, die so richtig sind',
  '{count} errors are open: edit the text, or waive the findings that are right as they are':
    '{count} Fehler sind offen: Ändere den Text, oder nimm die Befunde aus, die so richtig sind',
  'The score is {score}; the brand asks for {least}': 'Die Wertung ist {score}; die Marke verlangt {least}',
  'It is none of the last publications of the record': 'Es ist keine der letzten Veröffentlichungen des Inhalts',
  'The brand has its target no more': 'Die Marke hat dieses Ziel nicht mehr',
  'Nothing is live there': 'Dort ist nichts veröffentlicht',
  'A mail that was sent is taken back by nobody': 'Eine gesendete Mail nimmt niemand zurück',
  'Version {number} has nothing that "{name}" ({kind}) could show: {reason}':
    'Version {number} hat nichts, was „{name}“ ({kind}) zeigen könnte: {reason}',
  '{fields} cannot be written': '{fields} lässt sich nicht schreiben',
  '{to} has nothing that {from} has not': '{to} hat nichts, was {from} nicht hat',
  'Content is live at {name}': 'Bei {name} ist Inhalt veröffentlicht',
  'It is none of the newest suggestions of the record': 'Es ist keiner der neuesten Vorschläge zum Inhalt',
  'Write it with fewer levels of quotations and lists, and fewer marks of emphasis':
    'Schreib es mit weniger Ebenen von Zitaten und Listen und weniger Hervorhebungen',
  'The machine is too busy to read the text': 'Der Rechner ist zu beschäftigt, um den Text zu lesen',
  '{locale} is not enabled': '{locale} ist nicht eingeschaltet',
  'The code host shows no repository {name} to you': 'Der Code-Host zeigt dir kein Repository {name}',
  'Build {number} ended as {status}': 'Build {number} endete so: {status}',
  'It is not known with whose rights pushes are built: set auto_deploy again':
    'Unbekannt ist, mit wessen Rechten Pushes gebaut werden: Schalte das automatische Ausliefern neu ein',
  '{id} is no id of a service or function': '{id} ist keine Kennung eines Service oder einer Funktion',
  'The app has no build {id}': 'Die App hat keinen Build {id}',
  'Build {number} is {status}': 'Build {number} ist so: {status}',
  '{count} builds wait; cancel some, or wait': '{count} Builds warten; brich einige ab oder warte',
  'Deployment {id} is {status}: there is nothing left to cancel. To run another revision, deploy with rollback_to':
    'Deployment {id} ist zu Ende ({status}): Abzubrechen ist nichts mehr. Für eine andere Revision rolle zurück',
  'rollback_to names no deployment of this service; listServiceDeployments has them':
    'Dieses Deployment hat der Service nicht',
  'Deployment {id} is {status}, so nothing shows that its revision works. Say task_definition to run it all the same':
    'Deployment {id} endete so: {status}; nichts zeigt, dass seine Revision läuft. Wähle sie ausdrücklich',
  'The revision of deployment {id} can run no more': 'Die Revision von Deployment {id} kann nicht mehr laufen',
  'No revision but {revision} is known to have run successfully':
    'Von keiner Revision außer {revision} ist bekannt, dass sie erfolgreich lief',
  'With mode {mode} AWS takes {count} bytes at most': 'Auf diese Art ({mode}) nimmt AWS höchstens {count} Bytes',
  '{count} invocations in this account have not answered yet':
    '{count} Aufrufe in diesem Konto haben noch nicht geantwortet',
  'The service is deployed by {controller}, not by ECS': 'Den Service liefert {controller} aus, nicht ECS',
  'The service is {status}': 'Der Service ist so: {status}',
  'The service runs {revision}': 'Der Service läuft mit {revision}',
  'Give the name without the version or alias, and that as `qualifier`':
    'Gib den Namen ohne Version oder Alias an, und diese für sich',
  '{count} resources have this name; use the id of one':
    '{count} Ressourcen haben diesen Namen; nimm die Kennung von einer',
  ['Autoscaling keeps this service between {min} and {max} tasks; {count} is outside. ' +
    'Say autoscaling: suspend, adjust or ignore']:
    'Autoscaling hält diesen Service zwischen {min} und {max} Tasks; {count} liegt außerhalb. Wähle, was damit ' +
    'geschieht',
  'A DAEMON service runs one task on each container instance and has no count':
    'Ein DAEMON-Service hat einen Task je Container-Instanz und keine Anzahl',
  'Another deployment of this service is under way; wait for it, cancel it, or use force':
    'Ein anderes Deployment dieses Service ist im Gang; warte, brich es ab oder erzwinge das neue',
  '{region} did not answer in time; ask again later': '{region} antwortete nicht rechtzeitig; frag später noch einmal',
  ['ECS cannot stop this deployment, and it runs the same revision as before: there is nothing to go back to. ' +
    'Deploy another revision with `force` to supersede it']:
    'ECS kann dieses Deployment nicht anhalten, und es läuft mit derselben Revision wie zuvor: Es gibt nichts, wohin ' +
    'es zurückgehen könnte. Erzwinge eine andere Revision',
  'It holds {count} of {most}': 'Sie hat {count} von {most}',
  'With these it would hold {count} characters of {most}': 'Damit hätte sie {count} Zeichen von {most}',
  '{target} is locked': '{target} ist gesperrt',
  'The PDF has {count} pages and no text: it may be a scan':
    'Das PDF hat {count} Seiten und keinen Text: Vielleicht ist es ein Scan',
  'data is not base64': 'Der Inhalt ist kein Base64',
  'The server at the address answered {status}': 'Der Server unter der Adresse antwortete {status}',
  'It is no text file, or larger than 1 MB': 'Es ist keine Textdatei oder größer als 1 MB',
  'Files go with their layout, and with no version': 'Zu Dateien gehört ihre Form und keine Version',
  'The files hold {count} characters of {most}': 'Die Dateien haben {count} Zeichen von {most}',
  'Send a session_id, or files': 'Sende eine Spezifikation oder Dateien',
  'A session has no layout': 'Eine Spezifikation hat keine Form',
  'The version has no task {task}': 'Die Version hat keine Aufgabe {task}',
  'Each of these tasks has an issue in the repository': 'Jede dieser Aufgaben hat im Repository ein Issue',
  'The issue of {task} is being created': 'Das Issue zu {task} wird gerade angelegt',
  'Approving needs the role admin': 'Freigeben braucht die Rolle Admin',
  '{questions} must be answered': 'Noch zu beantworten: {questions}',
  'The mode {mode} asks no model': 'Die Art {mode} fragt kein Modell',
  '/feature_number is only for layout spec-kit': 'Die Nummer des Features gehört nur zur Form Spec Kit',
  'The issue has more than {count} comments': 'Das Issue hat mehr als {count} Kommentare',
  'The issue holds {count} characters of {most}': 'Das Issue hat {count} Zeichen von {most}',
  'One error is open: edit what they are about, or waive them, and approve again':
    'Ein Fehler ist offen: Ändere, worum es geht, oder nimm ihn aus, und gib dann frei',
  '{count} errors are open: edit what they are about, or waive them, and approve again':
    '{count} Fehler sind offen: Ändere, worum es geht, oder nimm sie aus, und gib dann frei',
  ['Answer the questions, and approve again with the rules that you say yes to in reviewed; waive those that do not ' +
    'matter here']:
    'Beantworte die Fragen, und gib dann mit den Regeln frei, denen du zustimmst; nimm aus, was hier nicht zählt',
  'A standard of the whole workspace needs the role admin':
    'Ein Standard für den ganzen Workspace braucht die Rolle Admin',
  'There is no standard {name} to clone': 'Einen Standard {name} zum Kopieren gibt es nicht',
  'Send standard_id or key, or use /pse/standards/{standard}': 'Sende standard_id oder key',
  'Metrics are off': 'Metriken sind ausgeschaltet',
  '{pointer} goes with the engine model': '{pointer} gehört zur Art model',
  'q {message}; use the parameters repo_id, author, since and until':
    'Die Suche {message}; nimm die Filter für Repository, Person und Zeit',
  'The function {message}': 'Die Funktion: {message}',
  '{revision} is not known to have run successfully. Say task_definition to run it all the same':
    'Von {revision} ist nicht bekannt, dass sie erfolgreich lief. Wähle sie ausdrücklich',
  '{message}; the task has {names}': '{message}; der Task hat {names}',
  '{pointer} is needed where nothing is cloned': '{pointer} ist nötig, wo nichts kopiert wird',
  'It says that {message}': 'Er meldet: {message}',
  'It is {status}': 'Der Zustand ist: {status}',
  'It was {status}': 'Der Zustand war: {status}'
}
