/**
 * What chaos lifts: one user says it all, leases are short, so takeovers are quick, and whatever has a time-out waits
 * longer than a busy machine takes: a test shows what is lost, not what is late.
 */
export const chaosLimits = {
  lease_ms: 3_000,
  model_retry_base_ms: 10,
  crash_attempts: 50,
  live_runs_per_user: 10_000,
  streams_per_user: 10_000,
  requests_per_minute: 10_000_000,
  budget_user_day_usd: 100_000,
  source_patience_ms: 60_000,
  read_timeout_ms: 120_000,
  codehost_timeout_ms: 60_000
}
