/** As in tools-a.ts. */
export const TOOLS_C = `
# monitoring
query_metrics | Query time series of metrics | expression, from, to
create_alert_rule | Notify when a metric crosses a threshold | metric, threshold, channel
acknowledge_alert | Acknowledge an alert so that it stops paging | alert_id
list_active_alerts | List alerts that fire now | severity
silence_alert | Mute an alert for some time | alert_id, hours
search_logs | Search log lines of services | query, service, from
get_trace | Get the spans of a distributed trace | trace_id
create_dashboard | Create a dashboard with panels | title, panels
list_incidents | List incidents with their state | state
create_incident | Declare an incident and page the responders | title, severity
resolve_incident | Mark an incident as resolved | incident_id, summary
get_on_call | Tell who is on call now | team
override_on_call | Swap an on-call shift with another person | person, from, to
check_uptime | Check whether a website answers, from several places | url
get_error_groups | List exceptions of an application, most frequent first | project
get_slo_status | Get how much of the error budget is left | service
run_load_test | Send traffic to a service and measure latency | url, rate
write_postmortem | Draft a review of an incident | incident_id
# docs
create_document | Create a text document | title, content
get_document | Get the text of a document | document_id
search_documents | Search documents of the workspace by content | query
append_to_document | Add paragraphs to the end of a document | document_id, text
replace_text | Replace text everywhere in a document | document_id, find, replace
comment_on_document | Add a comment to a passage | document_id, passage, text
share_document | Give people access to a document by link or email | document_id, people, role
export_pdf | Export a document as PDF | document_id
list_versions | List earlier versions of a document | document_id
restore_version | Return a document to an earlier version | document_id, version
create_from_template | Create a document from a template | template, values
translate_document | Translate a document and keep its layout | document_id, language
summarize_document | Summarize a long document | document_id, length
check_grammar | Find spelling and grammar mistakes | text
merge_pdfs | Combine several PDF files into one | files
split_pdf | Split a PDF into pages | file, pages
fill_pdf_form | Fill the fields of a PDF form | file, fields
sign_document | Request an electronic signature | document_id, signers
extract_tables | Get tables of a PDF as rows | file
redact_document | Black out personal data in a document | file
# sheets
read_range | Read cells of a spreadsheet | spreadsheet, range
write_range | Write values into cells | spreadsheet, range, values
append_row | Add a row below a table | spreadsheet, values
create_spreadsheet | Create a spreadsheet | title
add_worksheet | Add a tab to a spreadsheet | spreadsheet, name
create_chart | Draw a chart of a range | spreadsheet, range, type
sort_range | Sort rows by a column | spreadsheet, range, column
set_formula | Put a formula into a cell | spreadsheet, cell, formula
format_cells | Set colors, borders and number formats | spreadsheet, range, format
create_pivot_table | Summarize rows by groups in a pivot table | spreadsheet, range, groups
find_duplicates | Find rows that occur more than once | spreadsheet, range
protect_range | Lock cells against changes | spreadsheet, range
# notes
create_page | Create a page in the wiki | parent, title, content
update_page | Change a page of the wiki | page_id, content
search_pages | Search the wiki | query
list_backlinks | List pages that link to a page | page_id
create_task | Add a task to a list | title, due, list
complete_task | Check off a task | task_id
list_tasks | List tasks that are open | list, due
move_task | Move a task to another list or project | task_id, list
set_due_date | Set when a task must be done | task_id, date
create_project | Create a project with sections | name
add_tag | Tag a page or a task | id, tag
get_board | Get columns and cards of a kanban board | board
move_card | Move a card to another column | card, column
create_sprint | Plan a sprint with dates and a goal | board, start, end
estimate_story | Set story points of a card | card, points
log_time | Record hours spent on a task | task_id, hours
get_burndown | Get the burndown of a sprint | sprint
create_checklist | Add a checklist to a card | card, items
# shop
search_products | Search the catalog of products | query, category
create_product | Add a product with a price | name, price
update_price | Change the price of a product | product_id, price
set_stock | Set how many pieces of a product are in stock | product_id, quantity
list_orders | List orders by state and date | state, from
get_order | Get the items and state of an order | order_id
cancel_order | Cancel an order that is not shipped | order_id
fulfill_order | Mark an order as shipped | order_id, tracking
create_return | Accept a return of items | order_id, items
create_shipping_label | Buy a shipping label for a parcel | order_id, carrier
track_shipment | Tell where a parcel is | tracking
calculate_shipping | Calculate shipping costs of a parcel | weight, destination
add_to_cart | Put a product into the cart | product_id, quantity
checkout | Pay for what is in the cart | cart_id
list_reviews | List reviews of a product | product_id
reply_to_review | Answer a review publicly | review_id, text
list_low_stock | List products that are nearly sold out | threshold
create_purchase_order | Order goods from a supplier | supplier, items
recommend_products | Suggest similar products | product_id
import_products | Import products of a spreadsheet | file
# social
publish_post | Publish a post with text and media | text, media
schedule_post | Publish a post at a later time | text, time
delete_post | Delete a post | post_id
get_mentions | List posts that mention the account | since
get_followers | List followers of an account | account
reply_to_comment | Answer a comment below a post | comment_id, text
get_engagement | Get likes, shares and comments of posts | from, to
search_posts | Search public posts by words or hashtags | query
get_trending_topics | List what is trending in a country | country
follow_account | Follow an account | account
hide_comment | Hide an offensive comment | comment_id
create_story | Publish a story for a day | media
list_scheduled_posts | List posts that wait for their time | account
analyze_sentiment | Tell whether texts are positive or negative | texts
# web
fetch_page | Download a web page as Markdown | url
web_search | Search the web | query, count
take_screenshot | Take a screenshot of a web page | url, width
crawl_site | Follow the links of a site and collect its pages | url, depth
click_element | Click an element of the page | selector
fill_form | Type values into fields of the page | selector, values
extract_links | List the links of a page | url
check_broken_links | Find links of a site that lead nowhere | url
get_page_speed | Measure how fast a page loads | url
render_pdf | Print a web page to a PDF | url
whois_lookup | Tell who registered a domain | domain
dns_lookup | Resolve a host name | host
shorten_url | Make a short link | url
monitor_page | Report when a page changes | url
run_lighthouse | Audit accessibility and SEO of a page | url
search_news | Search news articles | query, from
parse_rss | Read the entries of an RSS feed | url
solve_sitemap | List all addresses of a sitemap | url
# finance
get_stock_price | Get the price of a share | symbol
get_price_history | Get daily prices of a share | symbol, from, to
convert_currency | Convert an amount between currencies | amount, from, to
get_exchange_rates | Get rates of a currency | base
get_crypto_price | Get the price of a cryptocurrency | coin
get_company_financials | Get income statement and balance sheet | symbol
place_order | Buy or sell a share at market or limit price | symbol, side, quantity
get_portfolio | Get positions and their value | account
list_transactions | List transactions of a bank account | account, from, to
transfer_money | Transfer money to another account | from, to, amount
categorize_transactions | Sort expenses into categories | account
create_expense_report | Submit expenses with receipts | items, receipts
scan_receipt | Read amount and merchant of a receipt | image
set_savings_goal | Save for something until a date | name, amount, date
get_credit_score | Get a credit score and its reasons | person
calculate_loan | Calculate the monthly rate of a loan | amount, interest, years
get_earnings_calendar | List when companies report earnings | from, to
compute_tax | Calculate income tax | income, country
# people
list_employees | List employees and their teams | department
get_org_chart | Get who reports to whom | person
request_time_off | Ask for vacation or sick leave | from, to, type
approve_time_off | Approve a request for vacation | request_id
get_vacation_balance | Get how many days of vacation are left | person
create_job_posting | Publish an open position | title, description
list_applicants | List people who applied for a position | posting
schedule_interview | Arrange an interview with an applicant | applicant, time
send_offer | Send a job offer to an applicant | applicant, salary
onboard_employee | Create accounts and tasks for someone who starts | person, start
offboard_employee | Revoke access of someone who leaves | person, last_day
run_payroll | Pay the salaries of a month | month
get_payslip | Get the payslip of a month | person, month
give_feedback | Write feedback for a colleague | person, text
create_review_cycle | Start performance reviews | period
clock_in | Start recording working time | person
search_resumes | Search resumes by skills | skills
create_survey | Ask employees questions anonymously | questions
# smart_home
turn_on_light | Turn on a lamp | lamp, brightness
turn_off_light | Turn off a lamp | lamp
set_thermostat | Set the target temperature of a room | room, degrees
lock_door | Lock a door | door
unlock_door | Unlock a door | door
get_camera_snapshot | Get a picture of a camera | camera
arm_alarm | Arm the burglar alarm | mode
close_blinds | Close the blinds of a window | window
start_vacuum | Send the robot vacuum to clean | rooms
get_energy_usage | Get how much electricity was used | from, to
play_music | Play a song or playlist on a speaker | speaker, query
set_volume | Set the volume of a speaker | speaker, level
open_garage | Open the garage door | door
water_plants | Run the irrigation of the garden | zone, minutes
activate_scene | Set several devices at once | scene
# health
log_meal | Record a meal with its calories | food, portion
log_workout | Record an exercise with duration and heart rate | exercise, minutes
get_sleep_report | Get how long and deeply the user slept | date
book_doctor | Book an appointment with a doctor | specialty, date
refill_prescription | Order a medicine again | prescription
get_lab_results | Get results of blood tests | date
set_medication_reminder | Remind of taking a medicine | medicine, time
find_pharmacy | Find pharmacies that are open | location
get_step_count | Get how many steps were taken | date
search_recipes | Find recipes by ingredients and diet | ingredients, diet
create_meal_plan | Plan meals and a shopping list for a week | diet, people
# text
translate_text | Translate a text into another language | text, to
detect_language | Detect the language of a text | text
summarize_text | Shorten a text to its main points | text, sentences
extract_entities | Find names of people, places and companies in a text | text
classify_text | Put a text into one of several categories | text, labels
embed_text | Compute the embedding vector of a text | text
moderate_text | Detect hate and violence in a text | text
generate_password | Make a random password | length
hash_text | Hash a text with SHA-256 | text
format_json | Validate and indent JSON | text
convert_units | Convert between units of length, mass and volume | value, from, to
calculate | Evaluate an arithmetic expression | expression
generate_uuid | Make a random UUID | count
`
