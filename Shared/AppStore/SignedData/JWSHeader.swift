import Foundation

struct JWSHeader {
    let certificates: [String]

    init(segment: ArraySlice<UInt8>) throws(VerificationFailure) {
        guard let json = Base64.url.decode(segment) else {
            throw VerificationFailure(.malformed, "the header segment is not base64url")
        }
        let fields: Fields
        do {
            fields = try JSONDecoder().decode(Fields.self, from: Data(json))
        } catch {
            throw VerificationFailure(.malformed, "the header is no JSON object with alg and x5c")
        }
        guard fields.alg == "ES256" else {
            throw VerificationFailure(.malformed, "the algorithm is not ES256")
        }
        certificates = fields.x5c
    }

    func chain() throws(VerificationFailure) -> [[UInt8]] {
        guard certificates.count == CertificateChain.length else {
            throw VerificationFailure(.malformed, "x5c holds \(certificates.count) certificates, not three")
        }
        var chain: [[UInt8]] = []
        for text in certificates {
            guard let der = Base64.standard.decode(ArraySlice(text.utf8)) else {
                throw VerificationFailure(.malformed, "a certificate in x5c is not base64")
            }
            chain.append(der)
        }
        return chain
    }

    private struct Fields: Decodable {
        let alg: String
        let x5c: [String]
    }
}
