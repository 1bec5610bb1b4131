/** What a spec is asked, and what its checks find */
export const specs: Record<string, string> = {
  ['Sorted without a language model: each requirement is a sentence of the inputs, word for word. What is undecided ' +
    'waits for a person.']:
    'Ohne Sprachmodell geordnet: Jede Anforderung ist ein Satz der Eingaben, Wort für Wort. Was offen ist, wartet auf ' +
    'einen Menschen.',
  'The inputs leave open what is demanded': 'Die Eingaben lassen offen, was gefordert ist',
  'The inputs ask it themselves': 'Die Eingaben fragen das selbst',
  'Nothing says how it is shown to be met': 'Nirgends steht, wie das nachgewiesen wird',
  'The criterion does not say what happens': 'Das Kriterium sagt nicht, was geschieht',
  'The story has neither a criterion nor a test of its own':
    'Die Story hat weder ein Kriterium noch einen eigenen Test',
  'Success without a number and a unit cannot be seen': 'Erfolg ohne Zahl und Einheit ist nicht zu sehen',
  'The rule {name} must be met, or be waived': 'Die Regel {name} muss erfüllt oder ausgenommen sein',
  'Nearly the same as {other}': 'Fast dasselbe wie {other}',
  '{other} says {numbers} of the same thing, this one {own}': '{other} sagt über dasselbe {numbers}, diese hier {own}',
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
  '{count} of {all} sentences of the inputs are undecided': '{count} von {all} Sätzen der Eingaben sind offen',
  '{source} was not read in whole; left out: {what}': '{source} wurde nicht ganz gelesen; ausgelassen: {what}',
  'No word that demands, such as SHALL, MUST, SHOULD or MAY': 'Kein Wort, das fordert, wie muss, soll oder darf',
  '{count} words that demand ({words}): one requirement demands one thing':
    '{count} Wörter, die fordern ({words}): Eine Anforderung fordert eines',
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
