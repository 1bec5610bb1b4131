import fp from 'fastify-plugin'
import { openFolder, openServer, type Db, type OpenDatabase } from '../db/index.js'
import { migrate } from '../db/migrate.js'

declare module 'fastify' {
  interface FastifyInstance {
    db: Db
    database: OpenDatabase
  }
}

/** The start stops with one line that names what to check; an AggregateError has no message of its own. */
const unusable = (url: string) => (error: Error & { code?: string }): never => {
  throw new Error(`The database of ${url} cannot be used: ${error.message || error.code}`, { cause: error })
}

export default fp(
  async (app) => {
    const { DATABASE_URL, DATABASE_POOL, DATA_DIR } = app.config
    const database = DATABASE_URL
      ? openServer(DATABASE_URL, DATABASE_POOL, (error) =>
        app.log.warn({ reason: error.message }, 'database connection lost')
      )
      : await openFolder(DATA_DIR)
    app.decorate('database', database)
    app.decorate('db', database.db)
    app.addHook('onClose', () => database.close())
    await migrate(database.db).catch(unusable(DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR'))
    if (database.embedded) {
      app.log.info('embedded database: survives kill -9, not a power cut; set DATABASE_URL for production')
    }
  },
  { name: 'db', dependencies: ['config'] }
)
