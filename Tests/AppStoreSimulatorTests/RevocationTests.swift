import AppStore
import AppStoreSigning
import Contracts
import Foundation
import HTTPTypes
import Testing

@testable import AppStoreSimulator

/// The simulator's OCSP responder, asked by Counterfoil's own checker over real HTTP.
@Suite(.timeLimit(.minutes(5))) struct `The OCSP responder of the simulator` {
    private static let url = "http://ocsp.test/ocsp"

    /// The certificates name a host that is nowhere; the way leads to the simulator all the same.
    private struct Redirected: AppleTransport {
        let port: Int

        func execute(_ request: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse {
            var request = request
            request.url = request.url.replacing("http://ocsp.test", with: "http://localhost:\(port)")
            return try await HTTPTransport().execute(request)
        }
    }

    private func newFolder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "ocsp-\(UUID())").path
    }

    /// A store whose certificates name a responder.
    private func store() async throws -> TestStore {
        let folder = newFolder()
        _ = try AppStoreSigner(stateFolder: folder, ocsp: Self.url)
        return try await TestStore(folder: folder)
    }

    /// What a checker finds about the chain of a purchase made now.
    private func status(_ store: TestStore) async throws -> RevocationStatus {
        let bought = try await store.buy()
        let verifier = TransactionVerifier(extraRoots: store.roots)
        _ = try verifier.verify(bought.text("transactions", "0", "signedTransaction"), now: store.clock.now)
        let checker = RevocationChecker(transport: Redirected(port: try #require(store.port)))
        let findings = await checker.check(verifier.chainsInUse, now: store.clock.now)
        return try #require(findings.first)
    }

    private func isUnproven(_ status: RevocationStatus?) -> Bool {
        if case .unknown(.unproven) = status { true } else { false }
    }

    @Test func `vouches for its certificates until one is revoked, and again when that is taken back`()
        async throws
    {
        let store = try await store()
        try await store.live { store in
            #expect(try await status(store) == .good)
            for (certificate, words) in [
                ("leaf", "Receipt Signing"), ("intermediate", "Developer Relations"),
            ] {
                let answer = try await store.control("revocations", #"{"certificate":"\#(certificate)"}"#)
                #expect(answer.text("status") == "revoked")
                guard case .revoked(let name) = try await status(store) else {
                    Issue.record("the \(certificate) is not found")
                    return
                }
                #expect(name.subject.contains(words))
                let good = #"{"certificate":"\#(certificate)","status":"good"}"#
                _ = try await store.control("revocations", good)
            }
            #expect(try await status(store) == .good)
        }
    }

    @Test func `is no alarm when it does not know, is down, forges or is out of date`() async throws {
        let store = try await store()
        try await store.live { store in
            _ = try await store.control("revocations", #"{"certificate":"leaf","status":"unknown"}"#)
            #expect(isUnproven(try await status(store)))
            _ = try await store.control("revocations", #"{"certificate":"leaf"}"#)
            for kind in ["wrongSignature", "expiredCertificate", "html", "empty"] {
                try await store.fault("/ocsp", kind)
                #expect(isUnproven(try await status(store)), "\(kind)")
                _ = try await store.send(.delete, "/_control/faults")
            }
            try await store.fault("/ocsp", "status", #""status":503"#)
            #expect(try await status(store) == .unknown(.httpStatus(503)))
            _ = try await store.send(.delete, "/_control/faults")
            try await store.fault("/ocsp", "reset")
            #expect(try await status(store) == .unknown(.noResponse(.unreachable)))
        }
    }

    @Test func `is asked by nobody who verifies, and only by who checks`() async throws {
        let store = try await TestStore()
        try await store.live { store in
            let port = try #require(store.port)
            let signer = try AppStoreSigner(ocsp: "http://localhost:\(port)/ocsp")
            let purchase = SimulatedPurchase(bundleId: TestStore.bundle, productId: "coins.120")
            let now = store.clock.now
            let verifier = TransactionVerifier(extraRoots: [signer.rootDER])
            for _ in 1...3 {
                _ = try verifier.verify(signer.sign(transaction: purchase.transaction(at: now)), now: now)
            }
            #expect(try await store.send(.get, "/_control/revocations")["questions"] == .integer(0))
            let findings = await RevocationChecker().check(verifier.chainsInUse, now: now)
            #expect(isUnproven(findings.first), "it answers for no strangers")
            let asked = try await store.send(.get, "/_control/revocations")
            #expect(asked["questions"] != .integer(0))
        }
    }

    @Test func `stays the one that the certificates name`() throws {
        let folder = newFolder()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        let signer = try AppStoreSigner(stateFolder: folder, ocsp: Self.url)
        #expect(try AppStoreSigner(stateFolder: folder).certificates == signer.certificates)
        #expect(try AppStoreSigner(stateFolder: folder, ocsp: Self.url).certificates == signer.certificates)
        #expect(throws: (any Error).self) { try AppStoreSigner(stateFolder: folder, ocsp: "http://other") }
    }

    @Test func `is nobody for certificates that name none`() async throws {
        let store = try await TestStore()
        #expect(store.store.signers.responder == nil)
        try await store.live { store in
            let status = try await status(store)
            #expect(status == .unknown(.noResponder))
        }
    }
}
