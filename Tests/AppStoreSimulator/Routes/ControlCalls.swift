import AppStoreSigning
import Contracts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

extension StoreCall {
    /// `POST /_control/apps`: an app's number and its shared secret, as App Store Connect has them.
    func setApp() async throws -> Response {
        struct Wanted: Decodable {
            let bundleId: BundleID
            let appAppleId: Int64?
            /// Empty for none.
            let sharedSecret: String?
        }
        let wanted: Wanted = try await body()
        await store.apps.set(
            bundleId: wanted.bundleId.rawValue,
            appAppleId: wanted.appAppleId,
            sharedSecret: wanted.sharedSecret
        )
        return .done
    }

    /// `POST /_control/keys`: a key for the App Store Server API; from the first one on, tokens need a signature.
    func registerKey() async throws -> Response {
        struct Wanted: Decodable {
            let keyId: String?
            let issuerId: String?
            /// PEM of a P-256 key; absent for a new pair, of which the answer has the private half.
            let publicKey: String?
        }
        let wanted: Wanted = try await body()
        let keyId = wanted.keyId ?? String(store.chance.newUUID().prefix(8)).uppercased()
        let issuerId = wanted.issuerId ?? store.chance.newUUID()
        guard let pem = wanted.publicKey else {
            let pair = P256.Signing.PrivateKey()
            await store.apps.register(.init(publicKey: pair.publicKey, issuerId: issuerId), keyId: keyId)
            return try .json(["keyId": keyId, "issuerId": issuerId, "privateKey": pair.pemRepresentation])
        }
        do {
            let publicKey = try P256.Signing.PublicKey(pemRepresentation: pem)
            await store.apps.register(.init(publicKey: publicKey, issuerId: wanted.issuerId), keyId: keyId)
        } catch {
            throw Problem("publicKey is not the PEM of a P-256 key")
        }
        return try .json(["keyId": keyId, "issuerId": issuerId])
    }

    /// `POST /_control/server-notifications`: where an app receives its notifications, and how fast retries come.
    func setEndpoint() async throws -> Response {
        struct Wanted: Decodable {
            let bundleId: BundleID
            let environment: StoreEnvironment
            /// Absent for none.
            let url: String?
            let timeFactor: Double?
        }
        let wanted: Wanted = try await body()
        let factor = wanted.timeFactor ?? 1
        guard factor > 0, factor.isFinite else { throw Problem("timeFactor is not more than 0") }
        if let url = wanted.url, URL(string: url)?.scheme?.hasPrefix("http") != true {
            throw Problem("url is no URL of HTTP")
        }
        await store.notifications.set(
            wanted.url.map { ServerNotificationQueue.Endpoint(url: $0, timeFactor: factor) },
            of: StoreApp(bundleId: wanted.bundleId.rawValue, environment: wanted.environment)
        )
        return .done
    }

    func repeatServerNotification() async throws -> Response {
        let uuid = try parameter("notificationUUID")
        guard await store.notifications.repeatDelivery(of: uuid, at: now) else {
            throw Problem(.notFound, "notificationUUID was not sent from here")
        }
        return .done
    }

    func addFault() async throws -> Response {
        let fault: Fault = try await body()
        if let flaw = fault.flaw { throw Problem(flaw) }
        return try .json(await store.faults.add(fault, at: now), status: .created)
    }

    func removeFaults() async throws -> Response {
        await store.faults.removeAll()
        return .done
    }

    func removeFault() async throws -> Response {
        let id = try context.parameters.require("faultId", as: Int.self)
        guard await store.faults.remove(id) else { throw Problem(.notFound, "there is no such fault") }
        return .done
    }

    /// `POST /ocsp`: answers for the certificates.
    func ocsp() async throws -> Response {
        guard request.headers[.contentType] == "application/ocsp-request" else {
            throw Problem(.unsupportedMediaType, "the body is not application/ocsp-request")
        }
        let buffer = try await request.body.collect(upTo: Self.maximumBytes)
        let statuses = await store.revocations.ask()
        let flaw: OCSPFlaw? =
            switch quality {
            case .genuine: nil
            case .forged: .forged
            case .expired: .stale
            }
        guard let responder = store.signers.responder else {
            return .bytes(OCSPResponder.refusal(.unauthorized), type: "application/ocsp-response")
        }
        let question = Array(buffer.readableBytesView)
        let answer = try responder.answer(to: question, now: now, flaw: flaw) { statuses[$0] ?? .good }
        return .bytes(answer, type: "application/ocsp-response")
    }

    /// `POST /_control/revocations`: what `/ocsp` says of a certificate.
    func revokeCertificate() async throws -> Response {
        struct Revocation: Codable {
            let certificate: OCSPSubject
            /// Revoked, if absent.
            let status: OCSPStatus?
        }
        let wanted: Revocation = try await body()
        let status = wanted.status ?? .revoked
        await store.revocations.set(wanted.certificate, status)
        return try .json(Revocation(certificate: wanted.certificate, status: status))
    }
}
