/**
 * Texts of variables as most applications have them: those of this repository's manifest, while its variables are not set.
 *
 * They are parsed while the component is built. The seven values of `call_settings` alone would take 0.08 ms of each call.
 */

const CALL_SETTINGS =
  'call_timeout_ms=30000; audit=; audit_arguments=false; calls_per_minute=; jobs_per_day=; job_ttl_ms=; store_bytes='

/** What the embedded host adds, or sets if there is nothing, when it keeps an audit log. */
const BY_HOST = 'audit=host'

/** By variable. */
export const USUAL_TEXTS = {
  call_settings: [CALL_SETTINGS, `${CALL_SETTINGS}; ${BY_HOST}`, BY_HOST],
  list_settings: [
    'list_page_size=1000; tools_mode=auto; list_budget_tokens=8000; always_visible=; list_changes=off',
  ],
  trust_forwarded_user: ['false; policy='],
} as const
