//! Exporting keys, whatever their algorithm.
use super::jwk;
use super::key::{Algorithm, CryptoKey, Kind, Material};
use super::problem::Problem;
use rquickjs::{Array, ArrayBuffer, Ctx, Object, Result, Value};

impl<'js> CryptoKey<'js> {
    pub fn export(&self, ctx: &Ctx<'js>, format: &str) -> Result<Value<'js>> {
        if !self.extractable {
            return Err(Problem::access("The key is not extractable").throw(ctx));
        }
        if format == "jwk" {
            return self.export_jwk(ctx);
        }
        let bytes = match (format, &self.material, self.kind) {
            ("raw", Material::Secret(secret), _) => secret.clone(),
            ("raw", Material::Ec(key), Kind::Public) => key.raw(),
            ("raw", Material::Ed25519(key), Kind::Public) => key.raw(),
            ("spki", Material::Rsa(key), Kind::Public) => key.spki(),
            ("spki", Material::Ec(key), Kind::Public) => key.spki(),
            ("spki", Material::Ed25519(key), Kind::Public) => key.spki(),
            ("pkcs8", Material::Rsa(key), Kind::Private) => key.pkcs8(),
            ("pkcs8", Material::Ec(key), Kind::Private) => key.pkcs8(),
            ("pkcs8", Material::Ed25519(key), Kind::Private) => key.pkcs8(),
            ("raw", Material::Ec(_) | Material::Ed25519(_), _)
            | ("spki" | "pkcs8", Material::Rsa(_) | Material::Ec(_) | Material::Ed25519(_), _) => {
                return Err(
                    Problem::access("The format does not fit the type of the key").throw(ctx),
                );
            }
            _ => {
                let text = "There is no such format for keys of this algorithm";
                return Err(Problem::not_supported(text).throw(ctx));
            }
        };
        Ok(ArrayBuffer::new(ctx.clone(), bytes)?.into_value())
    }

    fn export_jwk(&self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let (kty, alg, numbers) = match (&self.material, self.algorithm) {
            (Material::Secret(k), Algorithm::Hmac { hash, .. }) => (
                "oct",
                format!("HS{}", hash.number()),
                vec![("k", k.clone())],
            ),
            (Material::Secret(k), Algorithm::AesGcm { bits }) => {
                ("oct", format!("A{bits}GCM"), vec![("k", k.clone())])
            }
            (Material::Rsa(key), Algorithm::RsaPss { hash }) => {
                ("RSA", format!("PS{}", hash.number()), key.numbers())
            }
            (Material::Rsa(key), Algorithm::RsaPkcs1 { hash }) => {
                ("RSA", format!("RS{}", hash.number()), key.numbers())
            }
            (Material::Ec(key), _) => ("EC", String::new(), key.numbers()),
            (Material::Ed25519(key), _) => ("OKP", "Ed25519".into(), key.numbers()),
            _ => {
                let text = "Keys of this algorithm cannot be exported";
                return Err(Problem::not_supported(text).throw(ctx));
            }
        };
        let object = Object::new(ctx.clone())?;
        let ops = Array::new(ctx.clone())?;
        for (at, name) in self.usages.names().enumerate() {
            ops.set(at, name)?;
        }
        object.set("key_ops", ops)?;
        object.set("ext", self.extractable)?;
        object.set("kty", kty)?;
        match self.algorithm {
            Algorithm::Ecdsa { curve } => object.set("crv", curve.name())?,
            Algorithm::Ed25519 => object.set("crv", "Ed25519")?,
            _ => {}
        }
        for (name, bytes) in numbers {
            object.set(name, jwk::encode(&bytes))?;
        }
        if !alg.is_empty() {
            object.set("alg", alg)?;
        }
        Ok(object.into_value())
    }
}
