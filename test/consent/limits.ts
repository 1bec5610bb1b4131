/** Room for as many proposals as a test file makes. */
export const manyWaiting = { LIMITS: JSON.stringify({ waiting_tool_calls_per_user: 5_000, requests_per_minute: 1e6 }) }
