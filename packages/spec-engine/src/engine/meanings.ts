/** Verbs of one meaning, and nouns of products, as people write them in two documents or in two languages. */
const lines = [
  'end ends expire expires expiring terminate terminates timeout enden endet ablaufen beenden ' +
    'expirer expire terminer terminar termina expirar caducar caduca',
  'delete deletes deleted remove removes removed erase erases purge löschen gelöscht entfernen entfernt ' +
    'supprimer supprimé supprimés supprimées effacer effacés eliminar eliminado borrar borrado eliminarse borrarse',
  'keep keeps kept store stores stored save saves saved retain retains retained speichern gespeichert aufbewahren ' +
    'aufbewahrt aufgehoben conserver conservé conservés conservées stocker guardar guardarse almacenar almacenarse ' +
    'conservar conservarse',
  'show shows shown display displays displayed anzeigen angezeigt zeigen afficher affiché mostrar mostrarse',
  'load loads open opens opened öffnen geöffnet laden geladen ouvrir ouvert charger cargar abrir abrirse',
  'reply replies answer answers answered respond responds responded antworten beantworten beantwortet répondre ' +
    'responder responderse',
  'close closes closed schließen geschlossen fermer cerrar cerrarse',
  'lock locks locked sperren gesperrt verrouiller verrouillé bloquear bloquearse',
  'send sends sent senden gesendet versenden versandt envoyer envoyé enviar enviarse',
  'start starts started starten gestartet beginnen démarrer iniciar iniciarse',
  'have has haben hat avoir tener',
  'session sessions sitzung sitzungen sesión sesiones',
  'password passwords passwort passwörter kennwort kennwörter contraseña contraseñas',
  'user users nutzer benutzer anwender utilisateur utilisateurs usuario usuarios',
  'customer customers kunde kunden client clients cliente clientes',
  'guest guests gast gäste invité invités huésped huéspedes',
  'door doors tür türen porte portes puerta puertas',
  'order orders bestellung bestellungen commande commandes pedido pedidos',
  'account accounts konto konten compte comptes cuenta cuentas',
  'file files datei dateien fichier fichiers archivo archivos fichero ficheros',
  'message messages nachricht nachrichten mensaje mensajes',
  'page pages seite seiten página páginas',
  'report reports bericht berichte rapport rapports informe informes',
  'invoice invoices rechnung rechnungen facture factures factura facturas',
  'log logs protokoll protokolle journal journaux registro registros',
  'backup backups sicherung sicherungen sauvegarde sauvegardes respaldo respaldos',
  'request requests anfrage anfragen requête requêtes solicitud solicitudes',
  'response responses antwort antworten réponse réponses respuesta respuestas',
  'key keys schlüssel clé clés clave claves',
  'search suche recherche búsqueda',
  'record records datensatz datensätze enregistrement enregistrements',
  'payment payments zahlung zahlungen paiement paiements pago pagos',
  'ticket tickets fahrschein fahrscheine',
  'inactivity inaktivität untätigkeit inactivité inactividad',
  'time zeit temps tiempo'
]

const meanings = new Map(lines.flatMap((line) => {
  const words = line.split(' ')
  return words.map((word) => [word, words[0] ?? word] as const)
}))

const stem = (word: string): string => word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word

/** @returns what a word means, the same for words of one meaning in the languages that are read */
export const meaningOf = (word: string): string => stem(meanings.get(word) ?? word)
