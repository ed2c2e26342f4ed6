"""An authorization server of Django and django-oauth-toolkit in one file, for test/providers/django.ts."""

import json
import os
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings

options = json.loads(os.environ["PROVIDER"])
# What docs/identity-providers/django-oauth-toolkit.md says.
page = {}
exec(options["settings"], page)

FORM = """<form method="post">{% csrf_token %}
<input name="username"><input name="password" type="password"><button>Sign in</button></form>"""

settings.configure(
    DEBUG=True,
    SECRET_KEY="only for this test",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    LOGIN_URL="/login/",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": options["database"]}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "oauth2_provider.middleware.OAuth2TokenMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                ],
                "loaders": [
                    ("django.template.loaders.locmem.Loader", {"registration/login.html": FORM}),
                    "django.template.loaders.app_directories.Loader",
                ],
            },
        }
    ],
    OAUTH2_PROVIDER={
        **page["OAUTH2_PROVIDER"],
        # Of the page's origin, which is http here.
        "ALLOWED_SCHEMES": ["http", "https"],
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https"],
    },
)
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.views import LoginView  # noqa: E402
from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import get_application_model  # noqa: E402
from oauth2_provider.urls import base_urlpatterns, metadata_urlpatterns  # noqa: E402

urlpatterns = [
    path("login/", LoginView.as_view()),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    *metadata_urlpatterns,
]

call_command("migrate", verbosity=0)
for user in options["users"]:
    get_user_model().objects.create_user(user, password=options["pass_phrase"])
Application = get_application_model()
Application.objects.create(
    name="gateway",
    client_id="gateway",
    client_secret=options["secret"],
    client_type="confidential",
    authorization_grant_type="client-credentials",
)
Application.objects.create(
    name="page",
    client_id="ftl-page",
    client_type="public",
    authorization_grant_type="authorization-code",
    redirect_uris=options["page_redirect"],
    allowed_origins=options["origin"],
)


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


make_server("127.0.0.1", options["port"], WSGIHandler(), handler_class=Quiet).serve_forever()
