import { language, type Language } from '../speech/index.js'

const examples: Record<Language, string[]> = {
  en: [
    'Is everything healthy?', 'What did we spend this month, by service?', 'Show me the last errors of web',
    'Why did the last build fail?', 'Scale web to 4', 'Write release notes from the merged pull requests'
  ],
  de: [
    'Läuft alles?', 'Was haben wir diesen Monat ausgegeben?', 'Zeig mir die letzten Fehler von web',
    'Warum ist der letzte Build fehlgeschlagen?', 'Skaliere web auf 4',
    'Schreib Release Notes aus den gemergten Pull Requests'
  ],
  fr: [
    'Est-ce que tout va bien ?', 'Combien avons-nous dépensé ce mois-ci ?',
    'Montre-moi les dernières erreurs de web', 'Pourquoi le dernier build a-t-il échoué ?', 'Mets web à 4 instances',
    'Rédige les notes de version à partir des pull requests fusionnées'
  ],
  es: [
    '¿Está todo bien?', '¿Cuánto gastamos este mes?', 'Muéstrame los últimos errores de web',
    '¿Por qué falló el último build?', 'Escala web a 4',
    'Escribe las notas de la versión con los pull requests fusionados'
  ],
  ja: [
    'すべて正常ですか', '今月の費用は？', 'webの最新のエラーを見せて', '最後のビルドはなぜ失敗しましたか', 'web を 4 にスケールして',
    'マージされたプルリクエストからリリースノートを書いて'
  ]
}

/** What a newcomer can ask, in the language of the answer. */
export const examplesIn = (): string[] => examples[language()]
