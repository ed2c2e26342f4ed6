/** Tools as servers publish them: `name | description | parameters`, below the name of their component. Written by us. */
export const TOOLS_A = `
# git
create_pull_request | Open a pull request that merges one branch into another | repository, head, base, title, body
merge_pull_request | Merge an open pull request with a merge commit, squash or rebase | repository, number, method
list_pull_requests | List pull requests of a repository, filtered by state and author | repository, state, author
get_pull_request_diff | Get the unified diff of a pull request | repository, number
request_review | Ask people or teams to review a pull request | repository, number, reviewers
add_review_comment | Comment on a line of a pull request | repository, number, path, line, body
create_issue | Create an issue with a title, a body and labels | repository, title, body, labels
close_issue | Close an issue as completed or not planned | repository, number, reason
search_issues | Search issues and pull requests by text, label or assignee | query, repository
assign_issue | Assign an issue to users | repository, number, assignees
create_branch | Create a branch from a commit or another branch | repository, name, from
delete_branch | Delete a branch that is no longer needed | repository, name
list_commits | List commits of a branch, newest first | repository, branch, since, until
get_commit | Get one commit with its changes | repository, sha
get_file_contents | Get the contents of a file at a ref | repository, path, ref
commit_file | Create or update a file and commit the change | repository, path, content, message, branch
fork_repository | Fork a repository into another account | repository, organization
create_release | Publish a release from a tag with notes and assets | repository, tag, name, notes
blame_file | Show who last changed each line of a file | repository, path
star_repository | Star a repository for the authenticated user | repository
# ci
trigger_workflow | Start a run of a workflow on a branch | workflow, branch, inputs
list_workflow_runs | List runs with their status and duration | workflow, status
get_job_logs | Get the log output of a job of a run | run_id, job
cancel_run | Cancel a run that is queued or in progress | run_id
rerun_failed_jobs | Run the failed jobs of a run again | run_id
download_artifact | Download a file that a run has produced | run_id, artifact
list_runners | List self-hosted runners and whether they are online | group
set_secret | Store an encrypted secret for workflows | name, value
get_coverage_report | Get test coverage by file for a commit | commit
list_flaky_tests | List tests that sometimes fail without a change of the code | days
deploy_environment | Deploy a version to staging or production | environment, version
rollback_deployment | Return an environment to the version before | environment
approve_deployment | Approve a deployment that waits for a person | deployment_id
get_build_status | Get whether the last build of a branch passed | branch
clear_cache | Delete cached dependencies of builds | key
# files
read_file | Read the complete contents of a file | path, encoding
write_file | Write text to a file, replacing what it contains | path, content
append_file | Add text to the end of a file | path, content
list_directory | List the entries of a directory with their sizes | path
directory_tree | Get a recursive tree of a directory as JSON | path, depth
move_file | Move or rename a file or a directory | source, destination
copy_file | Duplicate a file at another path | source, destination
delete_file | Remove a file permanently | path
create_directory | Create a directory and its missing parents | path
search_files | Find files whose name matches a pattern | path, pattern, exclude
grep_files | Search the contents of files with a regular expression | path, expression
get_file_info | Get size, owner, permissions and times of a file | path
set_permissions | Change who may read, write and execute a file | path, mode
watch_directory | Report changes of a directory as they happen | path
zip_files | Compress files into one zip archive | paths, destination
unzip_archive | Extract an archive into a directory | archive, destination
disk_usage | Report how much space directories take | path
compute_checksum | Calculate the SHA-256 of a file | path, algorithm
compare_files | Show the differences of two files | left, right
tail_file | Read the last lines of a file | path, lines
# calendar
create_event | Create a calendar event with attendees and a place | title, start, end, attendees, location
update_event | Change the time, title or place of an event | event_id, title, start, end
delete_event | Delete an event and tell its attendees | event_id
list_events | List events of a calendar between two dates | calendar, from, to
find_free_time | Find times at which all attendees are free | attendees, duration, from, to
respond_to_invitation | Accept, decline or tentatively accept an invitation | event_id, response
list_calendars | List the calendars that the user can see | owner
share_calendar | Give another person access to a calendar | calendar, person, role
set_working_hours | Set at which hours the user works | days, from, to
set_out_of_office | Mark days as absent and answer invitations with a message | from, to, message
create_recurring_event | Create an event that repeats daily, weekly or monthly | title, start, rule
book_meeting_room | Reserve a room for a meeting | room, start, end
get_agenda | Get what is planned for a day | date
create_reminder | Remind the user of something at a time | text, time
snooze_reminder | Postpone a reminder | reminder_id, minutes
convert_time_zone | Convert a time from one time zone to another | time, from, to
# mail
send_email | Send an email to one or more recipients | to, cc, subject, body, attachments
reply_to_email | Reply to an email in its thread | message_id, body, all
forward_email | Forward an email to other people | message_id, to
search_emails | Search the mailbox by sender, subject, text or date | query, folder
read_email | Get the text and attachments of one email | message_id
create_draft | Save an email without sending it | to, subject, body
delete_email | Move an email to the trash | message_id
mark_as_read | Mark emails as read or unread | message_ids, read
move_email | Move an email to another folder | message_id, folder
list_folders | List folders of the mailbox with unread counts | parent
create_filter | Sort incoming mail automatically by rules | from, subject, action
unsubscribe_newsletter | Unsubscribe from a mailing list | message_id
get_attachment | Download an attachment of an email | message_id, attachment
schedule_email | Send an email later at a given time | draft_id, time
report_spam | Report an email as spam and block its sender | message_id
set_signature | Set the text below outgoing emails | text
# chat
post_message | Post a message to a channel | channel, text
send_direct_message | Send a private message to a person | user, text
list_channels | List channels that the user can join | archived
create_channel | Create a public or private channel | name, private
invite_to_channel | Invite people to a channel | channel, users
archive_channel | Archive a channel that is no longer used | channel
get_channel_history | Get the latest messages of a channel | channel, limit
reply_in_thread | Reply to a message in its thread | channel, message, text
add_reaction | React to a message with an emoji | channel, message, emoji
pin_message | Pin a message to a channel | channel, message
search_messages | Search messages in all channels | query, from
upload_file_to_channel | Share a file in a channel | channel, file
set_status | Set the status text and emoji of the user | text, emoji, until
set_topic | Set the topic of a channel | channel, topic
list_members | List the members of a channel | channel
start_call | Start a voice or video call | channel
delete_message | Delete a message | channel, message
edit_message | Change the text of a message that was sent | channel, message, text
set_do_not_disturb | Pause notifications for some time | minutes
create_poll | Ask a question with options to vote on | channel, question, options
# database
execute_query | Run a read-only SQL query and return the rows | sql, parameters
execute_statement | Run a statement that changes data: INSERT, UPDATE or DELETE | sql
list_tables | List tables and views of a schema | schema
describe_table | Get columns, types and indexes of a table | table
create_table | Create a table with columns and constraints | table, columns
drop_table | Drop a table and all of its rows | table
create_index | Create an index to make queries faster | table, columns
explain_query | Show the execution plan of a query | sql
list_slow_queries | List queries that took the longest | minutes
kill_connection | End a session that blocks others | pid
backup_database | Back up the database to object storage | database, target
restore_database | Restore a database from a backup | backup, database
run_migration | Apply pending schema migrations | version
export_table | Export a table as CSV | table, path
import_csv | Load rows of a CSV file into a table | file, table
vacuum_table | Reclaim the space of deleted rows | table
grant_privileges | Grant a role privileges on a table | role, table
get_database_size | Get how large databases and tables are | database
list_locks | List which sessions wait for which locks | database
replicate_status | Get the lag of replicas behind the primary | replica
# payments
create_payment | Charge a customer's card | amount, currency, customer
refund_payment | Return all or a part of a payment to the customer | payment_id, amount
list_payments | List payments with their state | customer, from, to
create_customer | Create a customer with a name and email | name, email
update_customer | Change details of a customer | customer_id, email, address
create_subscription | Subscribe a customer to a plan | customer, plan
cancel_subscription | Cancel a subscription at once or at the end of the period | subscription_id, at_period_end
change_plan | Move a subscription to another plan with proration | subscription_id, plan
create_invoice | Create an invoice with line items | customer, items, due
send_invoice | Email an invoice to the customer | invoice_id
void_invoice | Void an invoice that was sent by mistake | invoice_id
create_payment_link | Create a link by which anyone can pay | amount, description
get_balance | Get the balance that is available and pending | account
create_payout | Transfer the balance to a bank account | amount, account
list_disputes | List chargebacks and their deadlines | state
respond_to_dispute | Submit evidence against a chargeback | dispute_id, evidence
create_coupon | Create a discount code | percent, code, expires
apply_tax | Calculate the sales tax of an address | address, amount
save_card | Store a payment method of a customer | customer, token
get_revenue_report | Report revenue by month and product | from, to
`
