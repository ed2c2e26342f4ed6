use serde::Deserialize;

/// The authenticated user or machine that a call is made for, as the gateway has verified it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// Unique name, to store data by: `{issuer}#{user}` for an access token, `key:{name}` for an API key, the user that
    /// a trusted proxy names.
    pub id: String,
    /// What the token or API key permits.
    pub scopes: Vec<String>,
    /// The authorization server that issued the token.
    pub issuer: Option<String>,
    /// The user's name at that server; unique only there.
    pub user: Option<String>,
    /// The client that the token was issued to.
    pub client: Option<String>,
}

impl Caller {
    /// Whether the token or API key permits it. Scopes are case-sensitive.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|one| one == scope)
    }
}

/// What the header `ftl-caller` has. A member of another type is an error of the whole header.
#[derive(Deserialize, Default)]
struct Details {
    #[serde(default)]
    scopes: Vec<String>,
    issuer: Option<String>,
    user: Option<String>,
    client: Option<String>,
}

/// `None` where no authentication is configured. Details that cannot be read permit nothing.
pub(crate) fn caller_of(id: Option<String>, details: Option<String>) -> Option<Caller> {
    let read = details.and_then(|text| serde_json::from_str::<Details>(&text).ok());
    let Details { scopes, issuer, user, client } = read.unwrap_or_default();
    id.map(|id| Caller { id, scopes, issuer, user, client })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(details: &str) -> Caller {
        caller_of(Some("key:ci".into()), Some(details.into())).unwrap()
    }

    #[test]
    fn has_what_the_gateway_sends() {
        let details =
            r#"{"scopes":["tools","files"],"issuer":"https://a","user":"\u00e4da","client":"app"}"#;
        let ada = caller(details);
        assert_eq!(ada.id, "key:ci");
        assert!(ada.has_scope("files") && !ada.has_scope("FILES") && !ada.has_scope("file"));
        assert_eq!(ada.issuer.as_deref(), Some("https://a"));
        assert_eq!(ada.user.as_deref(), Some("äda"));
        assert_eq!(ada.client.as_deref(), Some("app"));
    }

    #[test]
    fn is_nobody_without_a_principal() {
        assert_eq!(caller_of(None, Some(r#"{"scopes":["tools"]}"#.into())), None);
    }

    #[test]
    fn may_do_nothing_when_the_details_cannot_be_read() {
        for details in ["", "nonsense", "[]", "7", r#"{"scopes":"tools"}"#, r#"{"scopes":[7]}"#] {
            assert_eq!(caller(details), Caller { id: "key:ci".into(), ..Caller::default() });
        }
        // The header cannot name another caller.
        assert_eq!(caller(r#"{"id":"root","scopes":[]}"#).id, "key:ci");
    }
}
