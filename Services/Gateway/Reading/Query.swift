import Foundation
import Hummingbird

/// The parameters behind the `?` of a request, decoded and checked.
struct Query {
    private let values: Parameters

    /// The parameters of a request.
    init(_ request: Request) { values = request.uri.queryParameters }

    /// The text of a parameter; nil when it is absent.
    func text(_ name: String) -> String? { values[name[...]].map(String.init) }

    /// A whole number within bounds.
    ///
    /// - Throws: `Problem` 422 when it is none, or outside of `range`.
    func integer(_ name: String, default standard: Int, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let text = text(name) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            let rule = "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            throw .unacceptable(name, rule)
        }
        return number
    }
}

extension RequestContext {
    /// A part of the path, percent-decoded.
    ///
    /// - Throws: `Problem` 422 when its encoding is broken.
    func pathParameter(_ name: String) throws(Problem) -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding else {
            throw .unacceptable(name, "must be percent-encoded UTF-8")
        }
        return text
    }
}
