import Contracts
import HTTPTypes

extension Traceparent {
    /// The trace of the request that this task answers; absent where its sender names none.
    @TaskLocal static var current: Traceparent?

    private static let name = HTTPField.Name("traceparent")

    /// The header of a request; nil when it is absent, wrong or there twice.
    init?(_ headers: HTTPFields) {
        guard let name = Self.name, let header = headers.value(of: name) else { return nil }
        self.init(header)
    }
}
