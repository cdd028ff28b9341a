import Contracts

/// Texts for buyers in simplified Chinese.
enum SimplifiedChinese: BuyerTexts {
    static let paid = "此次购买已付款，您购买的内容已到账或即将到账。"
    static let refunded = "此次购买已付款，并且已经退款。"

    static func text(_ outcome: OrderReportV1.Outcome) -> String {
        switch outcome {
        case .deferred: "此次购买正在等待批准，批准后您将立即获得所购内容。"
        case .cancelled: "购买已取消，您没有被扣款。"
        case .failed: "购买未成功，请稍后再试。"
        }
    }

    static func text(_ code: StoreKitFault.Original) -> String {
        switch code {
        case .unknown: "App Store 报告了错误，请稍后再试。"
        case .clientInvalid: "此设备不能进行此次购买。请检查已登录的 Apple 账户，然后重试。"
        case .paymentCancelled: "购买已取消，您没有被扣款。"
        case .paymentInvalid: "App Store 未接受此次购买。请更新 App 后重试。"
        case .paymentNotAllowed: "此设备不允许购买。请在“设置”中检查“屏幕使用时间”的限制。"
        case .storeProductNotAvailable: "您所在国家或地区的 App Store 不提供此商品。"
        case .cloudServicePermissionDenied: "此 App 无权使用您的媒体资料库。您可以在“设置”中允许。"
        case .cloudServiceNetworkConnectionFailed: "无法连接 App Store。请检查网络后重试。"
        case .cloudServiceRevoked: "您已撤销此次购买所需的权限。您可以在“设置”中重新允许。"
        case .privacyAcknowledgementRequired: "请先在“设置”中阅读并同意 Apple 的隐私说明，然后重试。"
        case .unauthorizedRequestData: "此 App 不能以这种方式购买。请更新 App 后重试。"
        case .invalidOfferIdentifier: "此优惠已不存在。请更新 App，或不使用优惠购买。"
        case .invalidSignature: "无法确认此优惠，请稍后再试。"
        case .missingOfferParams: "此优惠的信息不完整。请更新 App 后重试。"
        case .invalidOfferPrice: "此优惠的价格已失效，请稍后再试。"
        case .overlayCancelled: "App Store 页面已关闭。"
        case .overlayInvalidConfiguration: "无法显示 App Store 页面。请更新 App 后重试。"
        case .overlayTimeout: "App Store 没有及时响应，请重试。"
        case .ineligibleForOffer: "您的 Apple 账户不符合此优惠的条件。您可以不使用优惠购买。"
        case .unsupportedPlatform: "此设备不支持该操作。"
        case .overlayPresentedInBackgroundScene: "请打开 App 后重试。"
        }
    }

    static func text(_ code: StoreKitFault.General) -> String {
        switch code {
        case .unknown: "App Store 报告了错误，请稍后再试。"
        case .userCancelled: "购买已取消，您没有被扣款。"
        case .networkError: "无法连接 App Store。请检查网络后重试。"
        case .systemError: "系统报告了错误，请稍后再试。"
        case .notAvailableInStorefront: "您所在国家或地区的 App Store 不提供此内容。"
        case .notEntitled: "此 App 不能进行此次购买。请更新 App 后重试。"
        case .unsupported: "此设备不支持该操作。请更新系统后重试。"
        }
    }

    static func text(_ code: StoreKitFault.Purchase) -> String {
        switch code {
        case .invalidQuantity: "不能购买此数量，请选择其他数量。"
        case .productUnavailable: "此商品目前无法购买。"
        case .purchaseNotAllowed: "此设备不允许购买。请在“设置”中检查“屏幕使用时间”的限制。"
        case .ineligibleForOffer: "您的 Apple 账户不符合此优惠的条件。您可以不使用优惠购买。"
        case .invalidOfferIdentifier: "此优惠已不存在。请更新 App，或不使用优惠购买。"
        case .invalidOfferPrice: "此优惠的价格已失效，请稍后再试。"
        case .invalidOfferSignature: "无法确认此优惠，请稍后再试。"
        case .missingOfferParameters: "此优惠的信息不完整。请更新 App 后重试。"
        }
    }
}
