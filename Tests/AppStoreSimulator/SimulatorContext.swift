import HTTPTypes
import Hummingbird
import NIOCore

/// What belongs to one request: its connection, who asks, and how the answer is to be signed.
struct SimulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The app for which a bearer token speaks.
    var callerBundleId = ""
    var signature = SignatureQuality.genuine

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}

/// How what Apple signs is signed.
enum SignatureQuality: Sendable {
    case genuine
    /// By a stranger's key.
    case forged
    /// Under a certificate that has expired.
    case expired
}
