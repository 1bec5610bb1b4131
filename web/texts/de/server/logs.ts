/** What Steward itself writes into the log of a build, and why a step ended */
export const logs: Record<string, string> = {
  'Deployment {status}: {running} of {desired} tasks run ({reason})':
    'Deployment {status}: {running} von {desired} Tasks laufen ({reason})',
  'Deployment {status}: {running} of {desired} tasks run': 'Deployment {status}: {running} von {desired} Tasks laufen',
  'Deployment {id} of {target} began': 'Deployment {id} von {target} hat begonnen',
  'The cancel was refused, so the deployment goes on: {reason}':
    'Das Abbrechen wurde abgelehnt, das Deployment geht weiter: {reason}',
  'Cancelled: ECS stops deployment {id} and goes back to {revision}':
    'Abgebrochen: ECS hält Deployment {id} an und geht zurück auf {revision}',
  'The deployment was stopped': 'Das Deployment wurde angehalten',
  'The service is back at {revision}': 'Der Service ist zurück auf {revision}',
  'Cancelled, but the deployment ended as {status}: {reason}':
    'Abgebrochen, doch das Deployment endete so: {status}: {reason}',
  'The deployment ended as {status}: {reason}': 'Das Deployment endete so: {status}: {reason}',
  'The deployment ended as {status}': 'Das Deployment endete so: {status}',
  'no reason given': 'ohne Angabe eines Grundes',
  'Commit {commit}, as the earlier build had it': 'Commit {commit}, wie im früheren Build',
  'Commit {commit}, as asked for': 'Commit {commit}, wie verlangt',
  '{ref} is commit {commit}': '{ref} ist Commit {commit}',
  'The commit is not known; {ref} stands for it': 'Der Commit ist nicht bekannt; {ref} steht für ihn',
  'No image is built: the image given is deployed. It is {image}, the image of an earlier build':
    'Es wird kein Image gebaut, das genannte wird ausgeliefert: {image} aus einem früheren Build',
  'No image is built: the image given is deployed. It is {image}, as asked for':
    'Es wird kein Image gebaut, das genannte wird ausgeliefert: {image}, wie verlangt',
  'No image is built: the image given is deployed. It is {image}, by {template}':
    'Es wird kein Image gebaut, das genannte wird ausgeliefert: {image} nach der Vorlage {template}',
  'The commit is not known, so no image of it can be built':
    'Der Commit ist nicht bekannt, also lässt sich kein Image aus ihm bauen',
  'Waits up to {minutes} min for {image}: {reason}': 'Wartet bis zu {minutes} min auf {image}: {reason}',
  'ECR of {account} in {region} has no repository {name}': 'ECR von {account} in {region} hat kein Repository {name}',
  'ECR of {account} in {region} has repository {name}, and no {what} in it: it was never pushed, or was deleted':
    'ECR von {account} in {region} hat das Repository {name}, doch darin kein {what}: Es wurde nie hochgeladen oder ist gelöscht',
  '{registry} has no {tag} of {name}': '{registry} hat von {name} kein {tag}',
  '{image} did not come within {minutes} min. {reason}': '{image} kam nicht innerhalb von {minutes} min. {reason}',
  'Whether {image} exists cannot be known: {reason}': 'Ob es {image} gibt, lässt sich nicht wissen: {reason}',
  'this account may not ask its registry (ecr:DescribeImages)':
    'Dieses Konto darf seine Registry nicht fragen (ecr:DescribeImages)',
  '{registry} shows {name} to nobody without credentials, and Steward has none for it':
    '{registry} zeigt {name} niemandem ohne Zugangsdaten, und Steward hat keine dafür',
  'Build {number} is of a newer push: the image of {commit} is not awaited any more':
    'Build {number} gehört zu einem neueren Push: Auf das Image von {commit} wird nicht mehr gewartet',
  ['{image} was {before} when the build was approved, and is {now} now: the tag has moved. ' +
    'Nothing was deployed']:
    '{image} war {before}, als der Build freigegeben wurde, und ist jetzt {now}: Das Tag wurde verschoben. ' +
    'Nichts wurde ausgeliefert',
  'The image is {digest}: this digest is deployed, whatever its tag names later':
    'Das Image ist {digest}: Dieser Digest wird ausgeliefert, was auch immer sein Tag später nennt',
  'What built the image was stopped, and nothing was deployed':
    'Was das Image baute, wurde angehalten, und nichts wurde ausgeliefert',
  'Starts project {project} with commit {commit}': 'Startet Projekt {project} mit Commit {commit}',
  'CodeBuild has no build {id} any more': 'CodeBuild hat keinen Build {id} mehr',
  'Build {id} was stopped at AWS, and not from here': 'Build {id} wurde bei AWS angehalten, nicht von hier',
  'Build {id} was stopped': 'Build {id} wurde angehalten',
  'Build {id} ended as {status}: phase {where}': 'Build {id} endete so: {status}: Phase {where}',
  'Build {id} ended as {status}': 'Build {id} endete so: {status}',
  'Build {id} succeeded, and what it has pushed is not known: {reason}':
    'Build {id} gelang, doch was er hochgeladen hat, ist nicht bekannt: {reason}',
  'Build {id} is asked to stop': 'Build {id} soll anhalten',
  'Build {id} could not be stopped: {reason}': 'Build {id} ließ sich nicht anhalten: {reason}',
  'Build {id} did not end within {minutes} min; it was asked to stop':
    'Build {id} endete nicht innerhalb von {minutes} min; er soll anhalten',
  'Starts {workflow} on {ref} with {input} {commit}': 'Startet {workflow} auf {ref} mit {input} {commit}',
  'The code host has started {workflow} and does not say which run it is. Name an input in `build_input` that the run\'s name shows':
    'Der Code-Host hat {workflow} gestartet und sagt nicht, welcher Lauf es ist. Nenne in `build_input` eine Eingabe, die der ' +
    'Name des Laufs zeigt',
  ['The code host refuses to start {workflow} on {ref}: it has to have the trigger ' +
    'workflow_dispatch there, with the inputs {inputs}']:
    'Der Code-Host startet {workflow} auf {ref} nicht: Dort braucht er den Auslöser workflow_dispatch mit den Eingaben {inputs}',
  'The log of {job} cannot be read: {reason}': 'Das Log von {job} lässt sich nicht lesen: {reason}',
  'Run {id} was cancelled at the code host, and not from here': 'Lauf {id} wurde beim Code-Host abgebrochen, nicht von hier',
  'Run {id} was cancelled': 'Lauf {id} wurde abgebrochen',
  'Run {id} ended as {status}: {where}': 'Lauf {id} endete so: {status}: {where}',
  'Run {id} ended as {status}': 'Lauf {id} endete so: {status}',
  'Run {id} succeeded, and what it has pushed is not known: {reason}':
    'Lauf {id} gelang, doch was er hochgeladen hat, ist nicht bekannt: {reason}',
  'Run {id} is asked to stop': 'Lauf {id} soll anhalten',
  'Run {id} could not be stopped: {reason}': 'Lauf {id} ließ sich nicht anhalten: {reason}',
  'Run {id} of {workflow} did not end within {minutes} min; it was asked to stop':
    'Lauf {id} von {workflow} endete nicht innerhalb von {minutes} min; er soll anhalten',
  'Nothing had been begun': 'Nichts hatte begonnen',
  'A run was asked for and no answer came: whether it began is not known. Look there before building again':
    'Ein Lauf wurde verlangt, und keine Antwort kam: Ob er begonnen hat, ist nicht bekannt. Sieh dort nach, bevor du ' +
    'wieder baust',
  '{image} is no image that a registry could hold': '{image} ist kein Image, das in einer Registry stehen könnte',
  ['The deployment was asked for and no answer came: whether it began is not known. Look at the target ' +
    'before deploying again']:
    'Das Deployment wurde verlangt, und keine Antwort kam: Ob es begonnen hat, ist nicht bekannt. Sieh dir das Ziel ' +
    'an, bevor du wieder auslieferst',
  '{reason}; asking again': '{reason}; wird noch einmal versucht',
  'Nothing had been deployed': 'Nichts war ausgeliefert',
  'Waits: deployment {id} of the service is in progress': 'Wartet: Deployment {id} des Service ist im Gang',
  'Waits: another change of the function is in progress': 'Wartet: Eine andere Änderung der Funktion ist im Gang',
  'Lambda could not take {image} over: {reason}': 'Lambda konnte {image} nicht übernehmen: {reason}',
  'Cancelled: the function goes back to {image}': 'Abgebrochen: Die Funktion geht zurück auf {image}',
  'The function is back at {image}': 'Die Funktion ist zurück auf {image}',
  '{target} takes {image} over; before it was an image that we may not see':
    '{target} übernimmt {image}; zuvor war es ein Image, das wir nicht sehen dürfen',
  '{target} takes {image} over; before it was {previous}': '{target} übernimmt {image}; zuvor war es {previous}',
  'Lambda has taken {image} over': 'Lambda hat {image} übernommen',
  'The function runs the image that it ran before': 'Die Funktion läuft mit dem Image wie zuvor',
  'Alias {alias} divides its calls between {versions}: nothing was deployed':
    'Alias {alias} teilt seine Aufrufe auf {versions} auf: Nichts wurde ausgeliefert',
  'Version {version} was deleted: its image is published again':
    'Version {version} wurde gelöscht: Ihr Image wird noch einmal veröffentlicht',
  'Alias {alias} leads to version {version}; before it was {before}':
    'Alias {alias} führt zu Version {version}, zuvor zu {before}',
  'Alias {alias} leads to version {version}, which is {status} and made of {image}':
    'Alias {alias} führt zu Version {version}; sie ist {status} und besteht aus {image}',
  'Alias {alias} leads to version {version}; its image may not be read here (lambda:GetFunction)':
    'Alias {alias} führt zu Version {version}; ihr Image darf hier nicht gelesen werden (lambda:GetFunction)',
  'Alias {alias} leads to version {version}, which is made of {image}, not of {other}':
    'Alias {alias} führt zu Version {version}; sie besteht aus {image}, nicht aus {other}',
  'Alias {alias} is not there, or may not be read': 'Alias {alias} ist nicht da oder darf nicht gelesen werden',
  'Version {version} cannot be invoked: its state is Failed':
    'Version {version} lässt sich nicht aufrufen: Ihr Zustand ist Failed',
  'Cancelled: alias {alias} goes back to version {version}': 'Abgebrochen: Alias {alias} geht zurück auf Version {version}',
  'Cancelled, but alias {alias} stays at version {version}': 'Abgebrochen, doch Alias {alias} bleibt bei Version {version}',
  'Alias {alias} is back at version {version}; $LATEST keeps the image':
    'Alias {alias} ist zurück bei Version {version}; $LATEST behält das Image',
  'Alias {alias} was not moved; $LATEST keeps the image': 'Alias {alias} wurde nicht umgestellt; $LATEST behält das Image',
  'The function is made of {image} by now, not of {other}: no version was published':
    'Die Funktion besteht inzwischen aus {image}, nicht aus {other}: Keine Version wurde veröffentlicht',
  '{container} runs {image}, not {other}': '{container} läuft mit {image}, nicht mit {other}',
  '{running} of {desired} tasks run {image}': '{running} von {desired} Tasks laufen mit {image}',
  'The function is made of {image}, not of {other}': 'Die Funktion besteht aus {image}, nicht aus {other}',
  'The function cannot be invoked: its state is Failed':
    'Die Funktion lässt sich nicht aufrufen: Ihr Zustand ist Failed',
  'The function took the change over; its image may not be read here (lambda:GetFunction)':
    'Die Funktion hat die Änderung übernommen; ihr Image darf hier nicht gelesen werden (lambda:GetFunction)',
  'The function is {status} and made of {image}': 'Die Funktion ist {status} und besteht aus {image}',
  '{step} took longer than {seconds} s': '{step} dauerte länger als {seconds} s',
  'Something went wrong here': 'Hier ist etwas schiefgegangen',
  'Its worker stopped answering; a deployment that was begun may go on':
    'Der Prozess antwortete nicht mehr; ein begonnenes Deployment geht vielleicht weiter',
  'The code host has no answer for the repository {name}: {reason}':
    'Der Code-Host hat keine Antwort zum Repository {name}: {reason}',
  'The code host has no answer for the commit of {ref}: {reason}':
    'Der Code-Host hat keine Antwort zum Commit von {ref}: {reason}',
  'there is none, or you may not see it': 'es gibt keinen, oder du darfst ihn nicht sehen',
  '{repo} has no branch, tag or commit {ref}': '{repo} hat keinen Branch, kein Tag und keinen Commit {ref}',
  'No code host is connected': 'Kein Code-Host ist verbunden'
}
