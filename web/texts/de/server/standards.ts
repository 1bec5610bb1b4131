/** The standards that come with Steward, whose titles nobody wrote here */
export const standards: Record<string, string> = {
  'Requirements in EARS, each one verifiable': 'Anforderungen in EARS, jede nachweisbar',
  'The patterns of the Easy Approach to Requirements Syntax, with a source and a way to verify each.':
    'Die Muster von EARS (Easy Approach to Requirements Syntax), jedes mit Quelle und Nachweis.',
  'An EARS pattern': 'Ein EARS-Muster',
  'Every requirement follows one of the EARS patterns.': 'Jede Anforderung folgt einem der EARS-Muster.',
  'A criterion for each obligation': 'Ein Kriterium für jede Pflicht',
  'Every requirement of level MUST has an acceptance criterion.':
    'Jede Anforderung der Stufe MUST hat ein Abnahmekriterium.',
  'A source': 'Eine Quelle',
  'Every requirement cites an input.': 'Jede Anforderung belegt sich mit einer Eingabe.',
  'Short statements': 'Kurze Sätze',
  'A statement has at most forty words.': 'Ein Satz hat höchstens vierzig Wörter.',
  'Plain language': 'Einfache Sprache',
  'Words that everybody reads the same way.': 'Wörter, die alle gleich verstehen.',
  'No vague words': 'Keine vagen Wörter',
  'A statement has no word that each reader understands in another way.':
    'Kein Satz hat ein Wort, das alle anders verstehen.',
  'The plain word': 'Das einfache Wort',
  'Where there is a plain word, it is used.': 'Wo es ein einfaches Wort gibt, steht es da.',
  'What a product in use needs': 'Was ein Produkt im Betrieb braucht',
  'Sections for what is forgotten most often, filled with what the inputs say of each.':
    'Abschnitte für das, was am häufigsten vergessen wird, gefüllt mit dem, was die Eingaben dazu sagen.',
  'A quality that is measured': 'Eine gemessene Eigenschaft',
  'A quality requirement names a number.': 'Eine Anforderung an eine Eigenschaft nennt eine Zahl.'
}
