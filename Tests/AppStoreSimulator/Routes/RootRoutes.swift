import AppStoreSigning
import HTTPTypes
import Hummingbird
import NIOCore

/// `/_control/root.der`: the certificate that a test home has to trust.
struct RootRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.get("root.der") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/pkix-cert"],
                body: .init(byteBuffer: ByteBuffer(bytes: store.signers.genuine.rootDER))
            )
        }
    }
}
