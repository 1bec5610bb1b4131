/** What an error says besides its title: access, people, approvals and the code host */
export const teamDetails: Record<string, string> = {
  'Whoever asked has stopped waiting, and nothing had been sent: nothing was done. Send it again':
    'Die Anfrage wartete nicht mehr, und nichts war gesendet: Nichts ist geschehen. Sende sie noch einmal',
  'This needs the role {role} on the workspace': 'Das braucht die Rolle {role} im Workspace',
  'This needs the role {role} on project {id}': 'Das braucht die Rolle {role} im Projekt {id}',
  'This needs the role {role} on cloud account {id}': 'Das braucht die Rolle {role} für das Cloud-Konto {id}',
  'This needs the role {role}': 'Das braucht die Rolle {role}',
  'The code host answered with a page, not with JSON: set CODEHOST_API_URL to its REST API':
    'Der Code-Host antwortete mit einer Seite statt mit JSON: Setze CODEHOST_API_URL auf seine REST-API',
  ['{host} answered {status}, and not as the REST API of a code host does. ' +
    'Set CODEHOST_API_URL to the address of that API']:
    '{host} antwortete {status}, und nicht wie die REST-API eines Code-Hosts. ' +
    'Setze CODEHOST_API_URL auf die Adresse der API',
  'The code host limits requests; try again in {seconds} s':
    'Der Code-Host begrenzt die Anfragen; versuche es in {seconds} s wieder',
  'The organisation wants a single sign-on at the code host first':
    'Die Organisation verlangt zuerst die einmalige Anmeldung (SSO) beim Code-Host',
  'The code host does not say what the next page is': 'Der Code-Host sagt nicht, welche Seite folgt',
  'The connection to the code host is being renewed; try again':
    'Die Verbindung zum Code-Host wird gerade erneuert; versuche es noch einmal',
  'The code host does not renew the connection': 'Der Code-Host erneuert die Verbindung nicht',
  'The answer of the code host is too large': 'Die Antwort des Code-Hosts ist zu groß',
  'The answer of the code host was cut': 'Die Antwort des Code-Hosts brach ab',
  'The code host redirects to somewhere else': 'Der Code-Host leitet anderswohin weiter',
  'The code host redirects in circles': 'Der Code-Host leitet im Kreis weiter',
  'Send fewer or shorter headers, or a shorter address':
    'Sende weniger oder kürzere Header oder eine kürzere Adresse',
  '{pointer} holds NUL or half of a surrogate pair': '{pointer} enthält NUL oder ein halbes Surrogatpaar',
  'Browsers make passkeys for a host name, and {host} is none.{open}':
    'Browser legen Passkeys für einen Hostnamen an, und {host} ist keiner.{open}',
  'Browsers make passkeys over https only': 'Browser legen Passkeys nur über https an',
  '{who} is no longer active here': '{who} ist hier nicht mehr aktiv',
  'The token of {who} has been revoked': 'Das Token von {who} wurde widerrufen',
  'Somebody else made it: ask that person, or an admin':
    'Jemand anderes hat es angelegt: Frag diese Person oder einen Admin',
  'Too many refused credentials': 'Zu viele abgelehnte Zugangsdaten',
  'Propose it with POST /api/v1/agent/tool-calls or over /mcp: a person decides, and then it is done':
    'Schlage es mit POST /api/v1/agent/tool-calls oder über /mcp vor: Ein Mensch entscheidet, dann geschieht es',
  'It cannot be proposed either: a person does it, in the browser or with a token that is not marked':
    'Es lässt sich auch nicht vorschlagen: Ein Mensch tut es, im Browser oder mit einem Token ohne diese Markierung',
  'The token lacks the scope {scope}': 'Dem Token fehlt der Scope {scope}',
  'The token is not known': 'Das Token ist nicht bekannt',
  'The token is not one of ours': 'Das Token ist keines von hier',
  'The token was made for another resource': 'Das Token ist für eine andere Ressource',
  'The session has ended; sign in again': 'Die Sitzung ist zu Ende; melde dich wieder an',
  'The session is not known': 'Die Sitzung ist nicht bekannt',
  'There must be one Authorization header: Bearer <token>':
    'Es muss genau einen Header Authorization geben: Bearer <token>',
  'Signing in with a code host is not configured here': 'Das Anmelden mit einem Code-Host ist hier nicht eingerichtet',
  'There must be one header Host': 'Es muss genau einen Header Host geben',
  'The header Host is no name and port': 'Der Header Host ist kein Name mit Port',
  'The request target and the header Host name different hosts':
    'Die Adresse und der Header Host nennen verschiedene Hosts',
  'The header Host is missing': 'Der Header Host fehlt',
  'No {method} here': 'Hier gibt es kein {method}',
  'The machine is too busy to read the file': 'Der Rechner ist zu beschäftigt, um die Datei zu lesen',
  'Too many images are waiting to be read': 'Zu viele Bilder warten darauf, gelesen zu werden',
  'More than {count} requests in a minute': 'Mehr als {count} Anfragen in einer Minute',
  'Too many open streams; close one': 'Zu viele offene Verbindungen; schließe eine',
  'The body is nested deeper than {count} levels': 'Der Inhalt ist tiefer als {count} Ebenen geschachtelt',
  'Other people have to approve it: propose it with POST /api/v1/agent/tool-calls as {name}':
    'Andere müssen es genehmigen: Schlage es mit POST /api/v1/agent/tool-calls als {name} vor',
  'The body must be {type}': 'Der Inhalt muss {type} sein',
  'The assistants of others need the role admin': 'Die Assistenten anderer brauchen die Rolle Admin',
  'The tokens of others need the role admin': 'Die Tokens anderer brauchen die Rolle Admin',
  'Signing in here needs a verified e-mail address of a domain that is allowed':
    'Zum Anmelden brauchst du eine bestätigte E-Mail-Adresse einer erlaubten Domain',
  'Change the role of the binding that is there': 'Ändere die Rolle der Bindung, die es schon gibt',
  'It is you who delegates': 'Du selbst überträgst',
  'There is no such active person in the workspace': 'Im Workspace gibt es diese aktive Person nicht',
  'A viewer approves nothing': 'Wer nur liest, genehmigt nichts',
  'There may be {count}: remove one first': 'Es darf {count} geben: Entferne zuerst eines',
  'The archive has another passphrase': 'Das Archiv hat eine andere Passphrase',
  'The archive did not arrive to its end': 'Das Archiv kam nicht bis zum Ende an',
  'You do not hold the scope {scope}': 'Du hast den Scope {scope} nicht',
  'A token cannot outlive the token that makes it': 'Ein Token gilt nicht länger als das Token, das es anlegt',
  'There is no draft that differs from what holds': 'Es gibt keinen Entwurf, der vom Geltenden abweicht',
  'These do not pass: {names}': 'Diese bestehen nicht: {names}',
  'It holds already': 'Es gilt schon',
  'A passkey is registered and named by its person: sign in with the browser for this':
    'Einen Passkey registriert und benennt die Person selbst: Melde dich dafür im Browser an',
  'No policies are enabled': 'Keine Richtlinien sind eingeschaltet',
  '{why}: use a browser session or ADMIN_TOKEN for this':
    '{why}: Nimm dafür eine Sitzung im Browser oder ADMIN_TOKEN',
  'The link is not known': 'Der Link ist nicht bekannt',
  '{host} is the name of another workspace': '{host} ist der Name eines anderen Workspaces',
  'An account is connected in a browser': 'Ein Konto wird im Browser verbunden',
  'Name each step of high risk in high_risk': 'Bestätige jeden Schritt mit hohem Risiko einzeln',
  'It was decided or planned meanwhile: look at the plan again':
    'Inzwischen wurde entschieden oder neu geplant: Sieh dir den Plan noch einmal an',
  '/changes is only for approved: false': 'Änderungen wünschen kann nur, wer nicht genehmigt',
  '/signature is only for approved: true': 'Unterschrieben wird nur, was genehmigt wird',
  'This instance executes as many runs as it may': 'Diese Instanz führt so viele Läufe aus, wie sie darf',
  'There are {count}; delete one that is not needed': 'Es gibt {count}; lösche einen, den niemand braucht',
  'It was asked before a failover: decide each step by itself':
    'Gefragt wurde vor einem Wechsel der Instanz: Entscheide jeden Schritt für sich',
  'It is not waiting any more': 'Es wartet nicht mehr',
  'There is no tool {name} for this person': 'Für diese Person gibt es die Operation {name} nicht',
  'There is no such confirmation of yours in which a person asked for changes':
    'Du hast keine solche Anfrage, in der jemand Änderungen wollte',
  '{count} messages wait; take one back, or stop the run':
    '{count} Nachrichten warten; nimm eine zurück oder halte den Lauf an',
  'What it would do could not be read. Nothing was decided; try again':
    'Was geschehen würde, ließ sich nicht lesen. Nichts ist entschieden; versuche es noch einmal',
  'It cannot be done now, and nothing was: {reason}': 'Es geht gerade nicht, und nichts ist geschehen: {reason}',
  'It cannot be done any more, and nothing was: {reason}': 'Es geht nicht mehr, und nichts ist geschehen: {reason}',
  'Nothing was decided; try again. {reason}': 'Nichts ist entschieden; versuche es noch einmal. {reason}',
  '/arguments are forbidden by {policy}': 'Die Richtlinie {policy} verbietet diese Eingaben',
  'There is nothing to plan': 'Es gibt nichts zu planen',
  'Approve it with the input_digest of this plan': 'Genehmige genau diesen Plan (input_digest)',
  'Nothing was done. It is asked again on the state as it is now':
    'Nichts ist geschehen. Zum jetzigen Stand wird noch einmal gefragt',
  'Approving this needs the scope {scope}': 'Das zu genehmigen braucht den Scope {scope}',
  '{count} runs are live; wait for one or stop one': '{count} Läufe sind im Gang; warte auf einen oder halte einen an',
  '{count} conversations wait for approvals; decide some of them, or stop their runs':
    '{count} Gespräche warten auf Genehmigungen; entscheide einige oder halte ihre Läufe an',
  'A message may have {count} bytes': 'Eine Nachricht darf {count} Bytes haben',
  'The body is not UTF-8': 'Der Inhalt ist kein UTF-8',
  'CodeBuild of account {account} has no project {project} in {region}':
    'CodeBuild von Konto {account} hat in {region} kein Projekt {project}',
  '{repo} has no workflow {workflow} on its default branch': '{repo} hat auf dem Standard-Branch keinen Workflow {workflow}',
  'The workflow {workflow} of {repo} is {state}': 'Der Workflow {workflow} von {repo} ist {state}',
  'The commit is not known, so no image of it can be built':
    'Der Commit ist nicht bekannt, also lässt sich kein Image aus ihm bauen',
  'A build by a workflow needs the scope {scope}': 'Ein Build mit einem Workflow braucht den Scope {scope}',
  'A builder needs a template that names its image': 'Ein Builder braucht eine Vorlage, die sein Image nennt',
  'The message is of another topic': 'Die Nachricht gehört zu einem anderen Topic',
  'SNS could not be reached': 'SNS war nicht zu erreichen',
  '{key} is no suggestion, or has another version: suggest another key':
    '{key} ist kein Vorschlag oder hat eine andere Version: Schlage einen anderen Schlüssel vor',
  '{key} has another version': '{key} hat eine andere Version',
  'A person removes preferences': 'Vorlieben entfernt ein Mensch',
  'The timestamp is more than {seconds} s away from this clock':
    'Der Zeitstempel weicht mehr als {seconds} s von der Uhr hier ab',
  'The address in the message is not one of SNS': 'Die Adresse in der Nachricht gehört nicht zu SNS',
  'The message was published more than an hour ago': 'Die Nachricht ist älter als eine Stunde',
  'SNS did not confirm the subscription': 'SNS hat das Abonnement nicht bestätigt',
  'SNS gave no certificate that can be used': 'SNS gab kein brauchbares Zertifikat',
  'The environment decides who may do what here: this needs the role admin on the workspace':
    'Hier entscheidet die Umgebung, wer was darf: Das braucht die Rolle Admin im Workspace',
  'The repository has no branch {name}': 'Das Repository hat keinen Branch {name}',
  'The branch {head} is at {now}; it was expected at {expected}':
    'Der Branch {head} steht auf {now}; erwartet war {expected}',
  'The branch {head} is at {now}; it was expected to be new':
    'Der Branch {head} steht auf {now}; erwartet war, dass es ihn nicht gibt',
  'The branch {head} is not there; it was expected at {expected}':
    'Den Branch {head} gibt es nicht; erwartet war er auf {expected}',
  'The branch {head} exists and has no open pull request into {base}; choose another name':
    'Den Branch {head} gibt es, ohne offenen Pull Request in {base}; wähle einen anderen Namen',
  '{name} is archived': '{name} ist archiviert',
  'The code host answered with another repository': 'Der Code-Host antwortete mit einem anderen Repository',
  'The invited person has no limit of scopes: use a browser session or ADMIN_TOKEN for this':
    'Die eingeladene Person hat keine Grenze an Scopes: Nimm dafür eine Sitzung im Browser oder ADMIN_TOKEN',
  'This is an organisation, not a person': 'Das ist eine Organisation, keine Person',
  'There is no such issue': 'Dieses Issue gibt es nicht',
  'The repository has no such ref': 'Das Repository hat diesen Branch, dieses Tag oder diesen Commit nicht',
  'You may read {name}, but not write to it': 'Du darfst {name} lesen, aber nicht darin schreiben',
  'There is no such pull request': 'Diesen Pull Request gibt es nicht',
  'The code host\'s next page is not a later one': 'Die nächste Seite des Code-Hosts ist keine spätere',
  'Connect your account from a page of this site': 'Verbinde dein Konto von einer Seite hier aus',
  '{pointer} {message}, which takes these: {names}': '{pointer} ist unbekannt; möglich sind: {names}',
  '{pointer} {message}, which takes none': '{pointer} ist unbekannt; es gibt keine',
  'The tool server {name} is off': 'Der Tool-Server {name} ist ausgeschaltet',
  'What the tool did is not known: {message}': 'Was das Tool getan hat, ist nicht bekannt: {message}',
  'The call was refused: {message}': 'Der Aufruf wurde abgelehnt: {message}',
  ['Line {line} has {values} values below {columns} names of columns: ' +
    'put each value that has a comma into quotation marks']:
    'Zeile {line} hat {values} Werte unter {columns} Spaltennamen: Setze jeden Wert mit Komma in Anführungszeichen'
}
