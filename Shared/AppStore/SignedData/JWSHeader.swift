import Contracts
import Domain
import FoundationEssentials

struct JWSHeader: Decodable {
    private let alg: String
    private let x5c: [String]

    init(segment: ArraySlice<UInt8>) throws(VerificationFailure) {
        guard let json = Base64.url.decode(segment) else {
            throw VerificationFailure(.malformed, "the header segment is not base64url")
        }
        do {
            self = try EventDecoder().decode(Self.self, from: json)
        } catch {
            throw VerificationFailure(.malformed, "the header is no JSON object with alg and x5c")
        }
        guard alg == "ES256" else { throw VerificationFailure(.malformed, "the algorithm is not ES256") }
    }

    func chain() throws(VerificationFailure) -> [[UInt8]] {
        guard x5c.count == CertificateChain.length else {
            throw VerificationFailure(.malformed, "x5c holds \(x5c.count) certificates, not three")
        }
        return try x5c.map { text throws(VerificationFailure) in
            guard let der = Base64.standard.decode(ArraySlice(text.utf8)) else {
                throw VerificationFailure(.malformed, "a certificate in x5c is not base64")
            }
            return der
        }
    }
}
