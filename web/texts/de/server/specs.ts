/** What a spec is asked, and what its checks find */
export const specs: Record<string, string> = {
  ['Compiled without a language model. Requirements below are sentences found in the inputs, sorted and ' +
    'normalised. Nothing was inferred; see Open questions for what is missing.']:
    'Ohne Sprachmodell erstellt. Die Anforderungen sind Sätze aus den Eingaben, geordnet und vereinheitlicht. Nichts ' +
    'ist hergeleitet; was fehlt, steht unter Offene Fragen.',
  'What is out of scope?': 'Was gehört nicht dazu?',
  'Without a limit, everything that is near the subject may be expected':
    'Ohne Grenze kann alles erwartet werden, was dem Thema nahe ist',
  'Who uses it, and what may each of them do?': 'Wer benutzt es, und was darf wer?',
  'Rights and screens follow from roles': 'Rechte und Ansichten folgen aus den Rollen',
  'What happens when a step fails or its input is not valid?':
    'Was geschieht, wenn ein Schritt fehlschlägt oder seine Eingabe ungültig ist?',
  'Most of what users complain of lies outside the good path':
    'Worüber sich Menschen beklagen, liegt meist neben dem Weg, auf dem alles gut geht',
  'Show an error and change nothing': 'Einen Fehler zeigen und nichts ändern',
  'Try again, then tell somebody': 'Noch einmal versuchen, dann jemanden benachrichtigen',
  'Who must sign in, and what must be protected from whom?': 'Wer muss sich anmelden, und was ist vor wem zu schützen?',
  'Protection that is added later costs more and leaves gaps': 'Später ergänzter Schutz kostet mehr und lässt Lücken',
  'What data is kept, and where does it come from?': 'Welche Daten werden gespeichert, und woher kommen sie?',
  'Interfaces, rights and retention follow from the data':
    'Schnittstellen, Rechte und Aufbewahrung folgen aus den Daten',
  'How fast must it answer, under what load?': 'Wie schnell muss es antworten, und unter welcher Last?',
  'Without a number, no test can fail': 'Ohne Zahl kann kein Test fehlschlagen',
  '95 % of answers within 1 second': '95 % der Antworten innerhalb von 1 Sekunde',
  '95 % of answers within 3 seconds': '95 % der Antworten innerhalb von 3 Sekunden',
  'What are the limits: how many, how large, how often?': 'Welche Grenzen gelten: wie viele, wie groß, wie oft?',
  'A system without limits has those that nobody chose': 'Ein System ohne Grenzen hat die, die niemand gewählt hat',
  'How long is data kept, and who may have it deleted?': 'Wie lange bleiben Daten, und wer darf sie löschen lassen?',
  'Law and storage both ask for it': 'Gesetz und Speicherplatz verlangen es',
  'Which accessibility standard must it meet?': 'Welchen Standard der Barrierefreiheit muss es erfüllen?',
  'It decides on the choice of components, so it cannot be added at the end':
    'Er bestimmt die Wahl der Komponenten und lässt sich nicht am Ende ergänzen',
  'WCAG 2.2 level AA': 'WCAG 2.2, Stufe AA',
  'None: no person uses it directly': 'Keinen: kein Mensch benutzt es direkt',
  'How available must it be, and how fast must it be back after a failure?':
    'Wie verfügbar muss es sein, und wie schnell nach einem Ausfall zurück?',
  'The cost of running it depends on this number more than on any other':
    'Von dieser Zahl hängen die Betriebskosten mehr ab als von jeder anderen',
  'Who notices when it does not work, and how?': 'Wer bemerkt, wenn es nicht funktioniert, und wie?',
  'What is not observed is reported by customers': 'Was niemand beobachtet, melden die Kunden',
  'What is left open in “{text}”?': 'Was ist offen in „{text}“?',
  'The inputs hold a placeholder where the spec needs a fact':
    'In den Eingaben steht ein Platzhalter, wo die Spezifikation eine Tatsache braucht',
  'The inputs ask it themselves': 'Die Eingaben fragen das selbst',
  'Which requirement does this show to be met: “{text}”?': 'Welche Anforderung weist das nach: „{text}“?',
  'An acceptance criterion that belongs to no requirement is tested by nobody':
    'Ein Abnahmekriterium, das zu keiner Anforderung gehört, testet niemand',
  'How will {list} be verified?': 'Wie wird {list} nachgewiesen?',
  'A requirement without an acceptance criterion cannot be shown to be met':
    'Eine Anforderung ohne Abnahmekriterium lässt sich nicht nachweisen',
  '“{one}” ({where}) and “{other}” ({there}) contradict each other. Which one holds?':
    '„{one}“ ({where}) und „{other}“ ({there}) widersprechen sich. Was gilt?',
  ['{count} sentences below {where} say how it works without saying that it is demanded, such as “{example}”. ' +
    'Are they requirements?']:
    '{count} Sätze unter {where} sagen, wie es arbeitet, ohne zu sagen, dass es gefordert ist, etwa „{example}“. ' +
    'Sind das Anforderungen?',
  ['{count} sentences say how it works without saying that it is demanded, such as “{example}”. Are they ' +
    'requirements?']:
    '{count} Sätze sagen, wie es arbeitet, ohne zu sagen, dass es gefordert ist, etwa „{example}“. Sind das ' +
    'Anforderungen?',
  'What is a fact of today and what shall be built look the same in the present':
    'Was heute gilt und was gebaut werden soll, sieht in der Gegenwart gleich aus',
  'Yes': 'Ja',
  'No': 'Nein',
  'Both cannot be met': 'Beide zugleich sind nicht erfüllbar',
  ['{count} demands exceed the limit of {limit} requirements. Raise max_requirements, or make a spec of each ' +
    'part? They stand in: {parts}']:
    '{count} Forderungen überschreiten die Grenze von {limit} Anforderungen. Die Grenze anheben oder aus jedem Teil ' +
    'eine Spezifikation machen? Sie stehen in: {parts}',
  'What exceeds the limit is listed as uncovered, and nobody builds it':
    'Was die Grenze überschreitet, steht unter den nicht abgedeckten Sätzen, und niemand baut es',
  'Raise max_requirements': 'Die Grenze anheben',
  'Make a spec of each part': 'Aus jedem Teil eine Spezifikation machen',
  ['Input {which} is in a language whose demands are not read. Can you add it in English, German, French or ' +
    'Spanish?']:
    'Eingabe {which} ist in einer Sprache, deren Forderungen nicht gelesen werden. Kannst du sie auf Deutsch, ' +
    'Englisch, Französisch oder Spanisch hinzufügen?',
  'Its sentences are in no requirement': 'Ihre Sätze stehen in keiner Anforderung',
  ['{count} more questions are open: {kinds}, {blocking} blocking. A version lists {most} at most: answer ' +
    'these and generate again to see the next, which are: {next}']:
    'Noch {count} Fragen sind offen ({kinds}), davon blockieren {blocking}. Eine Version zeigt höchstens {most}: ' +
    'Beantworte diese und erzeuge neu, dann folgen: {next}',
  'A spec with many open questions is best split or talked through':
    'Eine Spezifikation mit vielen offenen Fragen teilt man am besten oder spricht sie durch',
  'Nothing says how it is shown to be met': 'Nirgends steht, wie das nachgewiesen wird',
  'The criterion lacks {what}': 'Dem Kriterium fehlt {what}',
  'Nothing says what happens when this fails': 'Nirgends steht, was geschieht, wenn das fehlschlägt',
  'The story has neither a criterion nor a test of its own':
    'Die Story hat weder ein Kriterium noch einen eigenen Test',
  'Success without a number and a unit cannot be seen': 'Erfolg ohne Zahl und Einheit ist nicht zu sehen',
  'The rule {name} must be met, or be waived': 'Die Regel {name} muss erfüllt oder ausgenommen sein',
  'Nearly the same as {other}': 'Fast dasselbe wie {other}',
  '{other} says {numbers} of the same thing, this one {own}': '{other} sagt über dasselbe {numbers}, diese hier {own}',
  '{other} says otherwise of the same thing': '{other} sagt über dasselbe etwas anderes',
  'The glossary calls this {term}': 'Das Glossar nennt das {term}',
  'There is no {id}': '{id} gibt es nicht',
  'They depend on each other: {path}': 'Sie hängen voneinander ab: {path}',
  'The version before had it; it was not retired': 'Die vorige Version hatte das; es wurde nicht zurückgezogen',
  '{count} blocking questions are open: talk it through first':
    '{count} blockierende Fragen sind offen: Sprecht es zuerst durch',
  'No input says this, no person wrote it, and no assumption covers it':
    'Keine Eingabe sagt das, kein Mensch hat es geschrieben, und keine Annahme deckt es',
  'The quote does not stand in the cited chunk': 'Das Zitat steht nicht an der belegten Stelle',
  'The input {input} that it cites was superseded': 'Die belegende Eingabe {input} wurde ersetzt',
  '{quote} stands neither in its quotes nor in an answer':
    '{quote} steht weder in ihren Zitaten noch in einer Antwort',
  'Requirements cite {percent} % of the normative sentences; at least 80 % should be':
    'Anforderungen belegen {percent} % der fordernden Sätze; mindestens 80 % sollten es sein',
  'No requirement cites this sentence': 'Keine Anforderung belegt sich mit diesem Satz',
  '{source} was not read in whole; left out: {what}': '{source} wurde nicht ganz gelesen; ausgelassen: {what}',
  'No normative keyword in capitals (SHALL, MUST, SHOULD, MAY)':
    'Kein Schlüsselwort in Großbuchstaben (SHALL, MUST, SHOULD, MAY)',
  '{count} normative keywords ({words}): one requirement demands one thing':
    '{count} Schlüsselwörter ({words}): Eine Anforderung fordert eines',
  'The statement has none of the patterns of the notation {form}': 'Der Satz hat keines der Muster der Notation {form}',
  '{count} sentences: one requirement is one sentence': '{count} Sätze: Eine Anforderung ist ein Satz',
  '{count} characters; at most {most}': '{count} Zeichen; höchstens {most}',
  '{count} words; a spec of the profile {profile} has at most {most}':
    '{count} Wörter; eine Spezifikation dieses Umfangs ({profile}) hat höchstens {most}',
  '{count} words; at most {most}': '{count} Wörter; höchstens {most}',
  '“{word}” means something else to everybody: say how much': '„{word}“ versteht jeder anders: Sag, wie viel',
  '“{word}”: and, or, or both?': '„{word}“: und, oder, oder beides?',
  'Two actions, {one} and {other}: two requirements': 'Zwei Handlungen, {one} und {other}: zwei Anforderungen',
  '“{subject}” stands for something that the statement does not name':
    '„{subject}“ steht für etwas, das der Satz nicht nennt',
  '“{words}”: who does it?': '„{words}“: Wer tut es?',
  '{words} of what?': '{words} wovon?',
  'A quality without a number cannot be tested': 'Eine Eigenschaft ohne Zahl lässt sich nicht testen',
  '{word} is a way to build it, not what is demanded': '{word} sagt, wie gebaut wird, nicht, was gefordert ist',
  'The glossary does not say what {word} is': 'Das Glossar sagt nicht, was {word} ist',
  '“{words}” leaves open whether it is demanded': '„{words}“ lässt offen, ob es gefordert ist',
  '“{words}” leaves open what else is demanded': '„{words}“ lässt offen, was noch gefordert ist',
  '“{words}”: say what is done, not that it can be': '„{words}“: Sag, was geschieht, nicht, dass es geschehen kann',
  '“{word}”: is there truly no exception?': '„{word}“: Gibt es wirklich keine Ausnahme?',
  '“{word}” is no time: give a number': '„{word}“ ist keine Zeit: Nenne eine Zahl',
  'The section {key} is missing': 'Der Abschnitt {key} fehlt',
  '{count} requirements: split the spec': '{count} Anforderungen: Teile die Spezifikation',
  'The id {id} stands for two things': 'Die Kennung {id} steht für zwei Dinge',
  'The id {id} was that of a retired requirement': 'Die Kennung {id} gehörte einer zurückgezogenen Anforderung',
  '{quote} is a placeholder': '{quote} ist ein Platzhalter',
  'Raw HTML or a link that runs code': 'Rohes HTML oder ein Link, der Code ausführt'
}

/** What a standard that a workspace wrote finds, below the title of its rule */
export const rules: Record<string, string> = {
  '{count} acceptance criteria; at least {min}': '{count} Abnahmekriterien; mindestens {min}',
  '{count} {what}; at least {min}': '{count} {what}; mindestens {min}',
  '{count} {what}; at most {max}': '{count} {what}; höchstens {max}',
  'It is empty': 'Es ist leer',
  'None of the patterns fits': 'Keines der Muster passt',
  '“{found}” is not to be used': '„{found}“ ist zu vermeiden',
  '“{used}” is to be used in place of “{found}”': '„{used}“ gehört an die Stelle von „{found}“',
  '{field} is none of {values}': '{field} ist keines von {values}',
  'It lacks {what}': 'Es fehlt {what}',
  'It has none of the EARS patterns': 'Der Satz hat keines der EARS-Muster',
  'Its pattern is {pattern}, not {patterns}': 'Das Muster ist {pattern}, nicht {patterns}',
  'It is not verified by {methods}': 'Nachgewiesen wird es nicht durch {methods}',
  'Grade {grade}; at most {limit}': 'Klassenstufe {grade}; höchstens {limit}',
  'The glossary does not have {words}': 'Das Glossar hat {words} nicht',
  'It links to no {what}': 'Nichts davon ist verknüpft: {what}',
  'There is none': 'Es gibt keines'
}
