/** As in tools-a.ts. */
export const TOOLS_B = `
# images
generate_image | Render an image from a text prompt | prompt, width, height, seed
upscale_image | Increase the resolution of an image | image, factor
remove_background | Cut out the subject of an image | image
resize_image | Change width and height of an image | image, width, height
crop_image | Cut an image to a rectangle | image, box
convert_image | Convert between PNG, JPEG, WebP and AVIF | image, format
describe_image | Write a caption for an image | image
extract_text_from_image | Recognize the text of a scanned page (OCR) | image, language
detect_objects | Find objects in an image and their boxes | image
edit_image | Change an image by an instruction | image, instruction
inpaint_image | Replace a masked area of an image | image, mask, prompt
blur_faces | Blur all faces of an image | image
compress_image | Reduce the file size of an image | image, quality
create_thumbnail | Make a small preview of an image | image, size
add_watermark | Put a logo or text over an image | image, text
read_exif | Read camera, time and place from a photo | image
generate_qr_code | Make a QR code of a text or link | text
compare_images | Measure how similar two images are | left, right
make_collage | Arrange several images in a grid | images
colorize_photo | Colorize a black and white photo | image
# video
transcode_video | Convert a video to another codec or container | file, codec
trim_video | Cut a part out of a video | file, start, end
merge_videos | Join clips into one video | files
extract_audio | Save the sound track of a video | file
add_subtitles | Burn subtitles into a video | file, subtitles
generate_captions | Transcribe the speech of a video as captions | file, language
create_gif | Make an animated GIF of a clip | file, start, end
generate_video | Generate a short video from a prompt | prompt, seconds
get_video_info | Get duration, resolution and codec | file
upload_video | Publish a video to a channel | file, title, visibility
list_playlist_items | List the videos of a playlist | playlist
schedule_premiere | Schedule when a video becomes public | video, time
get_video_analytics | Get views and watch time of a video | video
stabilize_video | Remove camera shake | file
take_screenshot_of_video | Save a frame of a video as an image | file, time
# audio
transcribe_audio | Turn speech into text | file, language
text_to_speech | Read a text aloud with a voice | text, voice
separate_stems | Split a song into vocals and instruments | file
normalize_audio | Make the loudness of a recording even | file
denoise_audio | Remove background noise of a recording | file
identify_song | Recognize which song is playing | file
detect_language_of_speech | Detect which language is spoken | file
clone_voice | Create a voice from a sample | sample, name
convert_audio | Convert between MP3, WAV and FLAC | file, format
generate_music | Compose music in a style | prompt, seconds
diarize_speakers | Tell who speaks when | file
detect_tempo | Measure the beats per minute | file
# maps
geocode_address | Convert an address to coordinates | address
reverse_geocode | Convert coordinates to an address | latitude, longitude
get_directions | Get a route by car, bicycle, foot or transit | origin, destination, mode
distance_matrix | Travel time and distance between many places | origins, destinations
search_places | Find restaurants, shops and sights near a place | query, location, radius
get_place_details | Get opening hours, phone and rating of a place | place_id
get_elevation | Get the height above sea level | latitude, longitude
static_map | Render a map with markers as an image | center, zoom, markers
get_traffic | Get traffic jams and accidents of an area | area
find_parking | Find free parking spots | location
isochrone | Get the area that is reachable within some minutes | origin, minutes
get_timezone_at | Get the time zone of a location | latitude, longitude
optimize_route | Order stops so that the trip is shortest | stops
find_charging_stations | Find chargers for electric cars | location, plug
get_public_transit_departures | Get the next buses and trains at a stop | stop
validate_address | Check and correct a postal address | address
# weather
get_current_weather | Get temperature, wind and sky of a place now | city
get_forecast | Get the weather of the next days | city, days
get_hourly_forecast | Get rain and temperature by hour | city
get_weather_alerts | Get storm and flood warnings | region
get_air_quality | Get fine dust, ozone and pollen | city
get_historical_weather | Get the weather of a day in the past | city, date
get_uv_index | Get how strong the sun is | city
get_sun_times | Get sunrise and sunset | city, date
get_tides | Get high and low water | port
get_snow_report | Get the depth of snow in ski areas | resort
get_earthquakes | List recent earthquakes | region, magnitude
get_radar_image | Get a picture of where it rains | region
# travel
search_flights | Search flights by dates and cabin | from, to, date, passengers
book_flight | Book a flight for passengers | flight, passengers
cancel_booking | Cancel a booking and show the fee | booking_id
check_in | Check in for a flight and get the boarding pass | booking_id
get_flight_status | Get delays and gate of a flight | flight, date
search_hotels | Search hotels by place, dates and stars | city, check_in, check_out
book_hotel | Reserve a hotel room | hotel, check_in, check_out
search_trains | Search train connections | from, to, time
rent_car | Rent a car at an airport or in a city | place, from, to
search_vacation_rentals | Search apartments and houses for holidays | place, from, to
get_visa_requirements | Tell which visa a passport needs for a country | passport, country
create_itinerary | Plan the days of a trip | destination, days, interests
track_prices | Watch a fare and report when it falls | route, limit
choose_seat | Choose a seat on a flight | booking_id, seat
get_baggage_rules | Get allowed sizes and weights of luggage | airline
search_activities | Find tours and tickets at a place | city, date
book_taxi | Order a taxi or a ride | pickup, destination
estimate_ride_price | Estimate what a ride costs | pickup, destination
get_travel_advisory | Get safety advice for a country | country
add_loyalty_number | Add a frequent flyer number to a booking | booking_id, number
# crm
create_lead | Add a lead to the pipeline | name, company, source
convert_lead | Convert a lead into a deal and a contact | lead_id
create_contact | Add a person to the contacts | name, email, phone
search_contacts | Find contacts by name, company or email | query
update_contact | Change details of a contact | contact_id, phone, email
merge_contacts | Merge two contacts that are the same person | contact_ids
create_deal | Create a deal with an amount and a stage | name, amount, stage
move_deal | Move a deal to another stage of the pipeline | deal_id, stage
log_call | Note a phone call with a contact | contact_id, notes
add_note | Add a note to a contact, company or deal | record_id, text
create_company | Add a company | name, domain
get_sales_forecast | Forecast sales of the quarter | quarter
assign_owner | Give a record to another salesperson | record_id, owner
create_quote | Create a quote with products and prices | deal_id, products
send_quote | Send a quote for signature | quote_id
list_activities | List calls, meetings and emails of a contact | contact_id
enrich_company | Look up size and industry of a company | domain
create_segment | Group contacts by conditions | name, conditions
start_campaign | Send a marketing campaign to a segment | segment, template
get_campaign_results | Get opens, clicks and bounces of a campaign | campaign
# helpdesk
create_ticket | Open a support ticket | subject, description, priority
update_ticket | Change priority, state or fields of a ticket | ticket_id, priority, state
assign_ticket | Assign a ticket to an agent or a group | ticket_id, agent
close_ticket | Resolve and close a ticket | ticket_id, resolution
list_open_tickets | List tickets that are not solved | agent, queue
add_internal_note | Add a note that the customer does not see | ticket_id, text
reply_to_ticket | Send a public answer to the requester | ticket_id, text
merge_tickets | Merge duplicate tickets | ticket_ids
escalate_ticket | Escalate a ticket to the next level | ticket_id, reason
search_knowledge_base | Search help articles | query
create_article | Write a help article | title, body
get_satisfaction_score | Get how satisfied customers are | from, to
get_sla_breaches | List tickets that missed their response time | from, to
create_macro | Save a canned response | name, text
set_business_hours | Set when support is available | days, hours
# cloud
list_instances | List virtual machines with their state | region
start_instance | Start a virtual machine | instance_id
stop_instance | Shut a virtual machine down | instance_id
reboot_instance | Restart a virtual machine | instance_id
create_instance | Launch a virtual machine | image, size, region
terminate_instance | Destroy a virtual machine for ever | instance_id
resize_instance | Change CPU and memory of a virtual machine | instance_id, size
create_bucket | Create a bucket in object storage | name, region
upload_object | Upload an object to a bucket | bucket, key, file
list_objects | List objects of a bucket | bucket, prefix
presign_url | Make a temporary link to an object | bucket, key, expires
create_snapshot | Take a snapshot of a disk | volume
attach_volume | Attach a disk to a virtual machine | volume, instance_id
open_port | Allow traffic to a port in a firewall | group, port
create_dns_record | Add a record to a DNS zone | zone, name, type, value
request_certificate | Request a TLS certificate for a domain | domain
get_cost_report | Report cloud costs by service | from, to
set_budget_alert | Warn when costs exceed a budget | amount
invoke_function | Run a serverless function | name, payload
rotate_access_key | Replace an access key by a new one | user
# kubernetes
list_pods | List pods of a namespace with their phase | namespace
get_pod_logs | Get what a container printed | pod, container, tail
delete_pod | Delete a pod so that it is made again | pod
scale_deployment | Set the number of replicas of a deployment | deployment, replicas
restart_deployment | Restart all pods of a deployment | deployment
apply_manifest | Apply a YAML manifest to the cluster | yaml
get_events | List events of a namespace | namespace
exec_in_pod | Run a command in a container | pod, command
port_forward | Forward a local port to a pod | pod, port
list_nodes | List nodes with capacity and condition | label
cordon_node | Stop new pods from being put on a node | node
drain_node | Move all pods away from a node | node
create_namespace | Create a namespace | name
get_resource_usage | Get CPU and memory of pods | namespace
create_config_map | Store configuration for pods | name, data
rollout_status | Follow whether a rollout has finished | deployment
`
